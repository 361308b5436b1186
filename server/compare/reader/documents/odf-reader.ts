import type { XmlElement, XmlReader } from '../package/read-xml.ts';
import { columnName } from './cell-name.ts';
import type { Block, Budget, Row, Section } from './document.ts';
import { HiddenStyles } from './hidden-styles.ts';

type Place = 'body' | 'header' | 'footer' | 'note' | 'comment' | 'slide' | 'notes' | 'cell';

/** Where what is in an element belongs. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ...['header', 'header-left', 'header-first'].map((name) => [name, 'header'] as const),
  ...['footer', 'footer-left', 'footer-first'].map((name) => [name, 'footer'] as const),
  ['note-body', 'note'],
  ['annotation', 'comment'],
  ['page', 'slide'],
  ['notes', 'notes'],
  ['table-cell', 'cell'],
]);
/** What is no text of the document, or of its maker. */
const SKIPPED = new Set(['tracked-changes', 'note-citation', 'shapes', 'dc:creator', 'dc:date']);
/** A cell or row that says it is there more often is taken so often, and told how often. */
const MOST_REPEATS = 1_000;
const MOST_SPACES = 100;

interface Table {
  readonly number: number;
  readonly name: string;
  readonly rows: Row[];
  readonly blocks: Block[];
  row: number;
  rowRepeats: number;
  column: number;
  columnRepeats: number;
  text: string[];
  value: string;
  cells: Map<string, string>;
}

interface Paragraph {
  text: string;
  readonly style: string;
}

/** Takes text out of the XML of OpenDocument as it is read. */
export class OdfReader {
  readonly blocks = {
    body: [] as Block[],
    header: [] as Block[],
    footer: [] as Block[],
    note: [] as Block[],
    comment: [] as Block[],
  };
  /** Slides or sheets. */
  readonly sections: Section[] = [];
  readonly links: string[] = [];
  readonly #budget: Budget;
  readonly #sheets: boolean;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];
  readonly #places: { readonly tag: string; readonly place: Place }[] = [];
  #slide: Block[] = [];
  readonly #hidden = new HiddenStyles();
  #counts = { paragraph: 0, table: 0, list: 0 };

  constructor(format: 'odt' | 'odp' | 'ods', budget: Budget) {
    this.#sheets = format === 'ods';
    this.#budget = budget;
  }

  get handlers(): XmlReader {
    return {
      skip: SKIPPED,
      open: (element) => this.#open(element),
      close: (name) => this.#close(name),
      text: (text) => {
        const paragraph = this.#paragraphs.at(-1);
        if (paragraph) paragraph.text += text;
      },
    };
  }

  #open({ name, attribute }: XmlElement): void {
    const paragraph = this.#paragraphs.at(-1);
    const place = PLACES.get(name);
    this.#hidden.open({ name, attribute });
    if (place !== undefined) this.#places.push({ tag: name, place });
    if (name === 'p' || name === 'h')
      this.#paragraphs.push({ text: '', style: this.#style(name, attribute('outline-level')) });
    else if (name === 's' && paragraph) paragraph.text += ' '.repeat(repeats(attribute('c'), MOST_SPACES));
    else if (name === 'tab' && paragraph) paragraph.text += '\t';
    else if (name === 'line-break' && paragraph) paragraph.text += '\n';
    else if (name === 'a' && attribute('href') !== '') this.links.push(attribute('href'));
    else if (name === 'list-item') this.#counts.list++;
    else if (name === 'page') this.#slide = this.#hidden.blocks('slide', attribute('style-name'));
    else if (name === 'table') {
      const blocks = this.#hidden.blocks('sheet', attribute('style-name'));
      this.#tables.push(newTable(++this.#counts.table, attribute('name'), blocks));
    } else if (name === 'table-row') beginRow(this.#tables.at(-1), attribute('number-rows-repeated'));
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      const formula = attribute('formula').replace(/^[a-z]+:/, '');
      const value =
        attribute('date-value') || attribute('time-value') || attribute('value') || attribute('boolean-value');
      beginCell(this.#tables.at(-1), { repeated: attribute('number-columns-repeated'), formula, value });
    }
  }

  #close(name: string): void {
    if (name === 'p' || name === 'h') this.#endParagraph(this.#paragraphs.pop());
    else if (name === 'list-item') this.#counts.list--;
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#endCell();
    else if (name === 'table-row') this.#endRow();
    else if (name === 'table') this.#endTable(this.#tables.pop());
    else if (name === 'page') {
      const number = this.sections.length + 1;
      this.sections.push({ kind: 'slide', name: `Slide ${number}`, number, blocks: this.#slide });
    }
    if (this.#places.at(-1)?.tag === name) this.#places.pop();
  }

  #style(tag: string, level: string): string {
    if (tag === 'h') return level === '' ? 'heading' : `heading ${level.slice(0, 2)}`;
    return this.#counts.list > 0 ? 'list item' : '';
  }

  #endParagraph(paragraph: Paragraph | undefined): void {
    const text = paragraph?.text.trim() ?? '';
    if (text === '') return;
    const place = this.#places.at(-1)?.place ?? 'body';
    const table = this.#tables.at(-1);
    if (place === 'cell' && this.#sheets) {
      table?.text.push(text);
      return;
    }
    this.#budget.take(text);
    const at =
      place === 'cell' && table
        ? `table ${table.number}, ${columnName(table.column)}${table.row}`
        : `paragraph ${++this.#counts.paragraph}`;
    const style = place === 'notes' ? 'notes' : place === 'cell' ? 'table cell' : (paragraph?.style ?? '');
    this.#listFor(place).push({ text, at, ...(style !== '' && { style }) });
  }

  /** A cell, and the notes of a slide, belong where the whole belongs. */
  #listFor(place: Place): Block[] {
    const whole =
      place === 'cell' || place === 'notes'
        ? this.#places.some((one) => one.place === 'slide')
          ? 'slide'
          : 'body'
        : place;
    return whole === 'slide' ? this.#slide : this.blocks[whole as keyof typeof this.blocks];
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || !this.#sheets) return;
    const shown = table.text.join('\n');
    const text = table.value.startsWith('=')
      ? `${table.value}${shown === '' ? '' : ` → ${shown}`}`
      : shown || table.value;
    if (text !== '') {
      const first = columnName(table.column);
      tellRepeats(
        table,
        `${first}${table.row}`,
        table.columnRepeats,
        `${first} to ${columnName(table.column + table.columnRepeats - 1)}`,
      );
      for (let copy = 0; copy < Math.min(table.columnRepeats, MOST_REPEATS); copy++) {
        this.#budget.take(text);
        table.cells.set(columnName(table.column + copy), text);
      }
    }
    table.column += table.columnRepeats - 1;
  }

  #endRow(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || !this.#sheets) return;
    if (table.cells.size > 0) {
      const { cells, row } = table;
      tellRepeats(table, `A${row}`, table.rowRepeats, `${row} to ${row + table.rowRepeats - 1}`);
      for (let copy = 0; copy < Math.min(table.rowRepeats, MOST_REPEATS); copy++) {
        if (copy > 0) for (const text of cells.values()) this.#budget.take(text);
        table.rows.push({ number: row + copy, cells });
      }
    }
    table.row += table.rowRepeats - 1;
  }

  #endTable(table: Table | undefined): void {
    if (table === undefined || !this.#sheets) return;
    this.sections.push({
      kind: 'sheet',
      name: table.name || `Sheet ${table.number}`,
      blocks: table.blocks,
      rows: table.rows,
    });
  }
}

function newTable(number: number, name: string, blocks: Block[]): Table {
  return {
    number,
    name: name.slice(0, 200),
    rows: [],
    blocks,
    row: 0,
    rowRepeats: 1,
    column: -1,
    columnRepeats: 1,
    text: [],
    value: '',
    cells: new Map(),
  };
}

function beginRow(table: Table | undefined, repeated: string): void {
  if (table === undefined) return;
  table.row++;
  table.rowRepeats = repeats(repeated, 1 << 21);
  table.column = -1;
  table.cells = new Map();
}

function beginCell(
  table: Table | undefined,
  { repeated, formula, value }: { readonly repeated: string; readonly formula: string; readonly value: string },
): void {
  if (table === undefined) return;
  table.column++;
  table.columnRepeats = repeats(repeated, 1 << 14);
  table.text = [];
  table.value = formula || value;
}

/** Of what is not taken as often as it is there, it is told where it ends. */
function tellRepeats({ blocks }: Table, at: string, count: number, range: string): void {
  if (count > MOST_REPEATS) blocks.push({ text: `the same from ${range}`, style: 'repeated', at });
}

const repeats = (text: string, most: number): number => Math.min(Math.max(1, Number(text) || 1), most);
