import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';
import { type Block, Budget, type DocumentText } from './document.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';

const NOT_COMPARED = ['formatting', 'tracked changes', 'pictures and objects', 'instructions of fields'];

/** The text of a rich text document: body, headers, footers, notes, comments. */
export function rtfText(bytes: Buffer): DocumentText {
  const reader = new RtfReader();
  for (const token of rtfTokens(bytes.toString('latin1'))) reader.take(token);
  reader.end();
  const { body, box, header, footer, note, comment } = reader.blocks;
  return {
    format: 'rtf',
    sections: [
      { kind: 'body', name: 'Body', blocks: body },
      { kind: 'body', name: 'Text boxes', blocks: box },
      { kind: 'header', name: 'Header', blocks: header },
      { kind: 'footer', name: 'Footer', blocks: footer },
      { kind: 'footnotes', name: 'Footnotes', blocks: note },
      { kind: 'comments', name: 'Comments', blocks: comment },
    ],
    not_compared: NOT_COMPARED,
    parts: new Map(),
  };
}

/** `aside` is no text either, and what is in it may be: the text of a shape, the better form of a text that comes in two. */
type Place = 'body' | 'box' | 'header' | 'footer' | 'note' | 'comment' | 'fonts' | 'aside' | 'nothing';

/** Groups that belong elsewhere than to the text around them. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ...['header', 'headerl', 'headerr', 'headerf'].map((name) => [name, 'header'] as const),
  ...['footer', 'footerl', 'footerr', 'footerf'].map((name) => [name, 'footer'] as const),
  ['footnote', 'note'],
  ['annotation', 'comment'],
  ['fonttbl', 'fonts'],
  ['shpinst', 'aside'],
  ['shptxt', 'box'],
  ['upr', 'aside'],
  ...'colortbl stylesheet info pict object shprslt fldinst listtable listoverridetable rsidtbl generator xmlnstbl themedata datastore latentstyles atnid atnauthor atndate filetbl revtbl'
    .split(' ')
    .map((name) => [name, 'nothing'] as const),
]);
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['_', '‑'],
]);
const ENDS = new Set(['par', 'sect', 'page', 'cell', 'nestcell', 'row', 'nestrow']);
/** Code pages by the number of a font's character set. */
const CHARSETS: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

interface Group {
  place: Place;
  /** Where what is around an `aside` belongs. */
  around: Place;
  encoding: string;
  /** Characters that follow a character's number for readers that do not know it. */
  fallback: number;
}

class RtfReader {
  readonly blocks = {
    body: [] as Block[],
    box: [] as Block[],
    header: [] as Block[],
    footer: [] as Block[],
    note: [] as Block[],
    comment: [] as Block[],
  };
  readonly #budget = new Budget();
  readonly #groups: Group[] = [];
  #group: Group = { place: 'body', around: 'body', encoding: 'windows-1252', fallback: 1 };
  readonly #texts: Partial<Record<Place, string>> = {};
  readonly #fonts = new Map<number, string>();
  #font = 0;
  #pending = '';
  #skip = 0;
  /** After `\*`: a group that is not known is passed over. */
  #optional = false;
  #count = 0;

  take(token: RtfToken): void {
    if (token.kind === 'bytes') this.#bytes(token.bytes);
    else {
      this.#flush();
      if (token.kind === 'word') this.#word(token.name, token.value);
      else if (token.kind === 'open') this.#open();
      else this.#close();
    }
  }

  end(): void {
    this.#flush();
    for (const place of Object.keys(this.blocks) as (keyof typeof this.blocks)[]) this.#endBlock(place, '');
  }

  #open(): void {
    if (this.#groups.length >= LIMITS.depth)
      throw new UnreadError('too_deep', `has more than ${LIMITS.depth} groups within each other`);
    this.#groups.push(this.#group);
    this.#group = { ...this.#group };
    this.#optional = false;
    this.#skip = 0;
  }

  #close(): void {
    const { place, around } = this.#group;
    this.#group = this.#groups.pop() ?? this.#group;
    const goesOn = place === this.#group.place || (this.#group.place === 'aside' && place === around);
    if (!goesOn && place in this.blocks) this.#endBlock(place as keyof typeof this.blocks, '');
  }

  #word(name: string, value: number | undefined): void {
    const place = this.#placeOf(name);
    if (name === '*') this.#optional = true;
    else if (place !== undefined || this.#optional) {
      this.#optional = false;
      if (place === 'aside') this.#group.around = this.#group.place;
      if (this.#group.place !== 'nothing') this.#group.place = place ?? 'nothing';
    } else if (name === 'ansicpg') this.#group.encoding = CODE_PAGES[value ?? 0] ?? known(`windows-${value}`);
    else if (name === 'uc') this.#group.fallback = Math.min(100, Math.max(0, value ?? 1));
    else if (name === 'u') this.#unicode(value ?? 0);
    else if (name === 'f') this.#useFont(value ?? 0);
    else if (name === 'fcharset' && this.#group.place === 'fonts')
      this.#fonts.set(this.#font, CHARSETS[value ?? 0] ?? '');
    else if (ENDS.has(name) && this.#group.place in this.blocks)
      this.#endBlock(this.#group.place as keyof typeof this.blocks, name.endsWith('cell') ? 'table cell' : '');
    else this.#add(CHARACTERS.get(name) ?? '');
  }

  /** The form in Unicode stands in the place of the group that both forms are in. */
  #placeOf(name: string): Place | undefined {
    return name === 'ud' && this.#group.place === 'aside' ? this.#group.around : PLACES.get(name);
  }

  #useFont(font: number): void {
    this.#font = font;
    const encoding = this.#fonts.get(font);
    if (encoding !== undefined && encoding !== '' && this.#group.place !== 'fonts') this.#group.encoding = encoding;
  }

  #unicode(value: number): void {
    this.#add(String.fromCharCode(value & 0xffff));
    this.#skip = this.#group.fallback;
  }

  #bytes(bytes: string): void {
    const skipped = Math.min(this.#skip, bytes.length);
    this.#skip -= skipped;
    if (this.#group.place !== 'fonts' && this.#group.place !== 'nothing') this.#pending += bytes.slice(skipped);
  }

  /** Bytes are decoded in a row: a character may have several. */
  #flush(): void {
    if (this.#pending === '') return;
    const text = new TextDecoder(this.#group.encoding).decode(Buffer.from(this.#pending, 'latin1'));
    this.#pending = '';
    this.#add(text);
  }

  #add(text: string): void {
    const { place } = this.#group;
    if (text !== '' && place in this.blocks) this.#texts[place] = (this.#texts[place] ?? '') + text;
  }

  #endBlock(place: keyof typeof this.blocks, style: string): void {
    const text = (this.#texts[place] ?? '').trim();
    this.#texts[place] = '';
    if (text === '') return;
    this.#budget.take(text);
    this.blocks[place].push({ text, at: `paragraph ${++this.#count}`, ...(style !== '' && { style }) });
  }
}

function known(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return 'windows-1252';
    throw error;
  }
}
