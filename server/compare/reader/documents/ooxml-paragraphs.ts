import { readXml, type XmlElement } from '../package/read-xml.ts';
import { columnName } from './cell-name.ts';
import type { Block, Budget } from './document.ts';

export interface ParagraphOptions {
  readonly budget: Budget;
  /** Names of styles by id. */
  readonly styles?: ReadonlyMap<string, string>;
  /** Where its paragraphs are: `paragraph` where absent. */
  readonly word?: string;
  /** For all paragraphs. */
  readonly style?: string;
  /** True where what fields show is left out: the number and date of a page of notes. */
  readonly withoutFields?: boolean;
}

/** What is no text of the document: old forms beside new ones, what was moved away or deleted, instructions of fields. */
const SKIPPED = new Set([
  'Fallback',
  'moveFrom',
  'del',
  'instrText',
  'delText',
  'delInstrText',
  'pPrChange',
  'rPrChange',
]);
const SKIPPED_WITH_FIELDS = new Set([...SKIPPED, 'fld']);
const BREAKS: ReadonlyMap<string, string> = new Map([
  ['br', '\n'],
  ['cr', '\n'],
  ['tab', '\t'],
  ['noBreakHyphen', '\u2011'],
]);

/** The paragraphs and cells of a part of a word document, or of a slide: both use the same names. */
export function ooxmlParagraphs(bytes: Uint8Array, name: string, options: ParagraphOptions): readonly Block[] {
  const reader = new ParagraphReader(options);
  readXml(bytes, name, {
    skip: options.withoutFields ? SKIPPED_WITH_FIELDS : SKIPPED,
    open: (element) => reader.open(element),
    close: (tag) => reader.close(tag),
    text: (text) => reader.text(text),
  });
  return reader.blocks;
}

interface Table {
  readonly number: number;
  row: number;
  column: number;
  span: number;
}

interface Paragraph {
  text: string;
  style: string;
  /** Within its properties, where `tab` is a stop and no character. */
  properties: boolean;
}

class ParagraphReader {
  readonly blocks: Block[] = [];
  readonly #options: ParagraphOptions;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];
  #count = 0;
  #tableCount = 0;
  #inText = false;
  /** Of the shape that is read: `title`. */
  #shape = '';

  constructor(options: ParagraphOptions) {
    this.#options = options;
  }

  open({ name, attribute }: XmlElement): void {
    const paragraph = this.#paragraphs.at(-1);
    const table = this.#tables.at(-1);
    if (name === 't') this.#inText = true;
    else if (name === 'p')
      this.#paragraphs.push({ text: '', style: this.#options.style ?? this.#shape, properties: false });
    else if (name === 'pPr' && paragraph) paragraph.properties = true;
    else if (name === 'pStyle' && paragraph) paragraph.style = this.#styleName(attribute('val'));
    else if (name === 'numPr' && paragraph) paragraph.style ||= 'list item';
    else if (name === 'sym' && paragraph) paragraph.text += symbol(attribute('char'));
    else if (paragraph?.properties === false && BREAKS.has(name)) paragraph.text += BREAKS.get(name);
    else if (name === 'sp' || name === 'graphicFrame') this.#shape = '';
    else if (name === 'ph') this.#shape = /title/i.test(attribute('type')) ? 'title' : '';
    else if (name === 'tbl') this.#tables.push({ number: ++this.#tableCount, row: 0, column: -1, span: 1 });
    else if (name === 'tr' && table) [table.row, table.column, table.span] = [table.row + 1, -1, 1];
    else if (name === 'tc' && table) [table.column, table.span] = [table.column + table.span, 1];
    else if (name === 'gridSpan' && table) table.span = Math.min(100, Number(attribute('val')) || 1);
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    else if (name === 'tbl') this.#tables.pop();
    else if (name === 'p') this.#end(this.#paragraphs.pop());
    else if (name === 'pPr') {
      const paragraph = this.#paragraphs.at(-1);
      if (paragraph) paragraph.properties = false;
    }
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (this.#inText && paragraph) paragraph.text += text;
  }

  #end(paragraph: Paragraph | undefined): void {
    const text = paragraph?.text.trim() ?? '';
    if (text === '') return;
    this.#options.budget.take(text);
    const table = this.#tables.at(-1);
    if (table === undefined) this.#count++;
    const at =
      table === undefined
        ? `${this.#options.word ?? 'paragraph'} ${this.#count}`
        : `table ${table.number}, ${columnName(Math.max(0, table.column))}${table.row}`;
    const style = paragraph?.style || (table && 'table cell') || '';
    this.blocks.push({ text, at, ...(style !== '' && { style }) });
  }

  #styleName(id: string): string {
    const name = (this.#options.styles?.get(id) ?? id).toLowerCase();
    return /^(normal|standard|default|body ?text|text ?body)$/.test(name) ? '' : name.slice(0, 60);
  }
}

/** A character of a symbol font, given by its number in its private area or outside of it. */
function symbol(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return Number.isNaN(code) || code > 0x10ffff ? '' : String.fromCodePoint(code);
}
