import { contentTypes, escaped, relationships, XML } from './xml.ts';
import { type ZipFiles, zipOf } from './zip-of.ts';

/** Cells as they are typed: text, a number, `=formula → value`, `@days` for a date, a boolean; empty where nothing is. */
export type Cell = string | number | boolean;
export type Sheets = Readonly<Record<string, readonly (readonly Cell[])[]>>;

const NS =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A workbook with shared strings and a date format; `merged` cells of the first sheet; further parts by name. */
export function xlsxOf(
  sheets: Sheets,
  { merged = [], parts = {} }: { readonly merged?: readonly string[]; readonly parts?: ZipFiles } = {},
): Buffer {
  const strings: string[] = [];
  const names = Object.keys(sheets);
  const files = Object.values(sheets).map((rows, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `${XML}<worksheet ${NS}><sheetData>${rows.map((row, r) => rowXml(row, r + 1, strings)).join('')}</sheetData>${at === 0 ? merges(merged) : ''}</worksheet>`,
  ]);
  const list = names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  return zipOf({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': relationships(['r1 officeDocument xl/workbook.xml']),
    'xl/workbook.xml': `${XML}<workbook ${NS}><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, at) => `rId${at + 1} worksheet worksheets/sheet${at + 1}.xml`),
      's1 sharedStrings sharedStrings.xml',
      's2 styles styles.xml',
    ]),
    'xl/styles.xml': `${XML}<styleSheet ${NS}><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(files),
    'xl/sharedStrings.xml': `${XML}<sst ${NS}>${strings.map((text) => `<si><t>${escaped(text)}</t><rPh sb="0" eb="1"><t>spoken</t></rPh></si>`).join('')}</sst>`,
    ...parts,
  });
}

function rowXml(row: readonly Cell[], number: number, strings: string[]): string {
  const cells = row.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${number}`, strings));
  return `<row r="${number}">${cells.join('')}</row>`;
}

function cellXml(cell: Cell, name: string, strings: string[]): string {
  if (cell === '') return '';
  if (typeof cell === 'number') return `<c r="${name}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${name}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const [formula = '', value = ''] = cell.split(' → ');
  if (cell.startsWith('=')) return `<c r="${name}"><f>${escaped(formula.slice(1))}</f><v>${value}</v></c>`;
  if (cell.startsWith('@')) return `<c r="${name}" s="1"><v>${cell.slice(1)}</v></c>`;
  strings.push(cell);
  return `<c r="${name}" t="s"><v>${strings.length - 1}</v></c>`;
}

const merges = (refs: readonly string[]): string =>
  refs.length === 0 ? '' : `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
