import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { type Relationship, relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { Budget, type DocumentText } from './document.ts';
import { linkSection, partsOf, pictureSection } from './package-parts.ts';
import { sheetSection } from './xlsx-sheet.ts';
import { dateStyles, sharedStrings } from './xlsx-tables.ts';

const NOT_COMPARED = [
  'formatting and number formats',
  'charts and drawings',
  'comments',
  'defined names',
  'macros',
  'pixels of pictures',
];

/** The cells of a workbook, sheet by sheet: shown values, with their formulas. */
export function xlsxText(zip: ZipPackage): DocumentText {
  const budget = new Budget();
  const main =
    [...relationshipsOf(zip, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const related = relationshipsOf(zip, main);
  const part = (type: string): string => related.values().find((one) => one.type === type)?.target ?? '';
  const tables = {
    strings: sharedStrings(zip, part('sharedStrings'), budget),
    dates: dateStyles(zip, part('styles')),
    budget,
  };
  const links: string[] = [];
  const sheets = sheetParts(zip, main, related).map(({ name, part: sheet }) => {
    const bytes = zip.read(sheet);
    if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${sheet}`);
    for (const { external, target } of relationshipsOf(zip, sheet).values()) if (external) links.push(target);
    return sheetSection(bytes, { name, part: sheet, ...tables });
  });
  return {
    format: 'xlsx',
    sections: [...sheets, pictureSection(zip), linkSection(links)],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

function sheetParts(
  zip: ZipPackage,
  main: string,
  related: ReadonlyMap<string, Relationship>,
): readonly { readonly name: string; readonly part: string }[] {
  const bytes = zip.read(main);
  if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${main}`);
  const sheets: { name: string; part: string }[] = [];
  readXml(bytes, main, {
    open: ({ name, attribute }) => {
      if (name !== 'sheet') return;
      const target = related.get(attribute(':id'));
      // A sheet that is a chart has no cells.
      if (target?.type === 'worksheet') sheets.push({ name: attribute('name'), part: target.target });
    },
  });
  return sheets;
}
