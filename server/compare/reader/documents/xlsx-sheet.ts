import { readXml, type XmlElement } from '../package/read-xml.ts';
import { columnName, parseCellName } from './cell-name.ts';
import type { Block, Budget, Row, Section } from './document.ts';

export interface SheetOptions {
  readonly name: string;
  readonly part: string;
  readonly strings: readonly string[];
  /** Cell formats of dates. */
  readonly dates: ReadonlySet<number>;
  /** True where days count from 1904 on. */
  readonly since1904: boolean;
  readonly budget: Budget;
}

/** The cells of a sheet. */
export function sheetSection(bytes: Uint8Array, options: SheetOptions): Section {
  const reader = new SheetReader(options);
  readXml(bytes, options.part, {
    skip: new Set(['rPh', 'extLst']),
    open: (element) => reader.open(element),
    close: (tag) => reader.close(tag),
    text: (text) => reader.text(text),
  });
  return { kind: 'sheet', name: options.name, blocks: reader.blocks, rows: reader.rows };
}

class SheetReader {
  readonly rows: Row[] = [];
  readonly blocks: Block[] = [];
  readonly #options: SheetOptions;
  #row: { number: number; readonly cells: Map<string, string> } = { number: 0, cells: new Map() };
  /** Of the cell before, from 0; a cell without a name is the next one. */
  #column = -1;
  #cell = { name: '', type: '', format: -1, value: '', formula: '' };
  #within: 'value' | 'formula' | undefined;

  constructor(options: SheetOptions) {
    this.#options = options;
  }

  open({ name, attribute }: XmlElement): void {
    if (name === 'row') {
      this.#row = { number: Number(attribute('r')) || this.#row.number + 1, cells: new Map() };
      this.#column = -1;
    } else if (name === 'c') {
      const place = parseCellName(attribute('r'));
      this.#column = place === undefined ? this.#column + 1 : columnNumber(place.column);
      this.#cell = {
        name: columnName(this.#column),
        type: attribute('t'),
        format: Number(attribute('s') || -1),
        value: '',
        formula: '',
      };
    } else if (name === 'mergeCell') {
      const text = attribute('ref').slice(0, 30);
      this.#options.budget.take(text);
      this.blocks.push({ text, style: 'merged cells', at: text });
    }
    this.#within = name === 'v' || name === 't' ? 'value' : name === 'f' ? 'formula' : undefined;
  }

  text(text: string): void {
    if (this.#within !== undefined) this.#cell[this.#within] += text;
  }

  close(name: string): void {
    this.#within = undefined;
    if (name === 'c') this.#endCell();
    else if (name === 'row' && this.#row.cells.size > 0) this.rows.push(this.#row);
  }

  #endCell(): void {
    const { name, formula } = this.#cell;
    const shown = this.#shown();
    const text = formula === '' ? shown : `=${formula}${shown === '' ? '' : ` → ${shown}`}`;
    if (text === '') return;
    this.#options.budget.take(text);
    this.#row.cells.set(name, text);
  }

  #shown(): string {
    const { type, value, format } = this.#cell;
    if (type === 's') return this.#options.strings[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    return (type === '' || type === 'n') && this.#options.dates.has(format)
      ? dateText(value, this.#options.since1904)
      : value;
  }
}

function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Day 0 of a workbook, as it counts from March 1900 on. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1462;

/** A day's number as a date, with the time where it has one. */
function dateText(value: string, since1904: boolean): string {
  // Less than a day is a time of no day.
  const days = Number(value) + (since1904 && Number(value) >= 1 ? DAYS_TO_1904 : 0);
  if (value === '' || !(days >= 0 && days < 2_958_466)) return value;
  const text = new Date(EPOCH + Math.round(days * 86_400) * 1000).toISOString();
  return days % 1 === 0 ? text.slice(0, 10) : days < 1 ? text.slice(11, 19) : text.slice(0, 19).replace('T', ' ');
}
