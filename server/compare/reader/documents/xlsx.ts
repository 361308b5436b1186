import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { type Relationship, relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { commentBlocks } from './comment-blocks.ts';
import { type Block, Budget, type DocumentText, type Section } from './document.ts';
import { drawnSections } from './drawn-sections.ts';
import { linkSection, partsOf, pictureSection } from './package-parts.ts';
import { sheetSection } from './xlsx-sheet.ts';
import { dateStyles, sharedStrings } from './xlsx-tables.ts';

const NOT_COMPARED = [
  'formatting and number formats',
  'looks of charts and drawings',
  'rules for cells, headers and footers of pages',
  'defined names',
  'macros',
  'pixels of pictures',
];

/** The cells of a workbook, sheet by sheet: shown values, with their formulas; comments and charts. */
export function xlsxText(zip: ZipPackage): DocumentText {
  const budget = new Budget();
  const main =
    [...relationshipsOf(zip, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const related = relationshipsOf(zip, main);
  const part = (type: string): string => related.values().find((one) => one.type === type)?.target ?? '';
  const { sheets: listed, since1904 } = sheetsOf(zip, main, related);
  const tables = {
    strings: sharedStrings(zip, part('sharedStrings'), budget),
    dates: dateStyles(zip, part('styles')),
    since1904,
    budget,
  };
  const links: string[] = [];
  const sheets = listed.map(({ name, part: sheet, hidden }): Section => {
    const bytes = zip.read(sheet);
    if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${sheet}`);
    const beside = [...relationshipsOf(zip, sheet).values()];
    links.push(...beside.filter(({ external }) => external).map(({ target }) => target));
    const section = sheetSection(bytes, { name, part: sheet, ...tables });
    const comments = commentsOf(zip, beside);
    const blocks = comments.flatMap(([target, content]) => commentBlocks(content, target, budget));
    const parts = [sheet, ...comments.map(([target]) => target)];
    return { ...section, blocks: [...(hidden ? [HIDDEN] : []), ...section.blocks, ...blocks], parts };
  });
  return {
    format: 'xlsx',
    sections: [...sheets, ...drawnSections(zip, budget), pictureSection(zip), linkSection(links)],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

const HIDDEN: Block = { text: 'is hidden', style: 'state', at: 'sheet' };

/** Those that are answers to each other stand in the place of their plain form. */
function commentsOf(zip: ZipPackage, beside: readonly Relationship[]): readonly (readonly [string, Buffer])[] {
  const threaded = beside.filter(({ type }) => type === 'threadedComment');
  const used = threaded.length > 0 ? threaded : beside.filter(({ type }) => type === 'comments');
  return used.flatMap(({ target }) => {
    const content = zip.read(target);
    return content === undefined ? [] : [[target, content] as const];
  });
}

interface ListedSheet {
  readonly name: string;
  readonly part: string;
  readonly hidden: boolean;
}

function sheetsOf(
  zip: ZipPackage,
  main: string,
  related: ReadonlyMap<string, Relationship>,
): { readonly sheets: readonly ListedSheet[]; readonly since1904: boolean } {
  const bytes = zip.read(main);
  if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${main}`);
  const sheets: ListedSheet[] = [];
  let since1904 = false;
  readXml(bytes, main, {
    open: ({ name, attribute }) => {
      if (name === 'workbookPr') since1904 = /^(1|true)$/.test(attribute('date1904'));
      if (name !== 'sheet') return;
      const target = related.get(attribute(':id'));
      const hidden = /hidden/i.test(attribute('state'));
      // A sheet that is a chart has no cells.
      if (target?.type === 'worksheet') sheets.push({ name: attribute('name'), part: target.target, hidden });
    },
  });
  return { sheets, since1904 };
}
