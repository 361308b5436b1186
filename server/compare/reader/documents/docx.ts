import { posix } from 'node:path';
import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { Budget, type DocumentText, type Section } from './document.ts';
import { ooxmlParagraphs } from './ooxml-paragraphs.ts';
import { byNumber, linkSection, partsOf, pictureSection } from './package-parts.ts';

const NOT_COMPARED = [
  'formatting and styles',
  'tracked changes (text marked as inserted counts as there, as deleted counts as gone)',
  'pixels of pictures, charts and drawings',
  'instructions of fields',
];

/** Parts beside the body, by the begin of their names. */
const BESIDE = [
  ['header', 'header', 'Header'],
  ['footer', 'footer', 'Footer'],
  ['footnotes', 'footnotes', 'Footnotes'],
  ['endnotes', 'footnotes', 'Endnotes'],
  ['comments', 'comments', 'Comments'],
] as const;

/** The text of a word document: body with tables and text boxes, headers, footers, notes, comments. */
export function docxText(zip: ZipPackage): DocumentText {
  const budget = new Budget();
  const main =
    [...relationshipsOf(zip, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
  const folder = posix.dirname(main);
  const styles = styleNames(zip, `${folder}/styles.xml`);
  const section = (name: string, about: Pick<Section, 'kind' | 'name'>): Section => {
    const bytes = zip.read(name);
    if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${name}`);
    return { ...about, blocks: ooxmlParagraphs(bytes, name, { budget, styles }) };
  };
  const beside = BESIDE.flatMap(([start, kind, title]) =>
    byNumber(
      zip.parts.keys().filter((name) => new RegExp(`^${start}\\d*\\.xml$`).test(posix.relative(folder, name))),
    ).map((part) =>
      section(part, { kind, name: `${title}${/\d*(?=\.xml$)/.exec(part)?.[0].replace(/^/, ' ') ?? ''}`.trim() }),
    ),
  );
  const links = relationshipsOf(zip, main)
    .values()
    .filter(({ external }) => external);
  return {
    format: 'docx',
    sections: [
      section(main, { kind: 'body', name: 'Body' }),
      ...beside,
      pictureSection(zip),
      linkSection(links.map(({ target }) => target)),
    ],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

function styleNames(zip: ZipPackage, part: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const bytes = zip.read(part);
  if (bytes === undefined) return names;
  let id = '';
  readXml(bytes, part, {
    open: ({ name, attribute }) => {
      if (name === 'style') id = attribute('styleId');
      else if (name === 'name' && id !== '') names.set(id, attribute('val'));
    },
  });
  return names;
}
