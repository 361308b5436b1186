import { posix } from 'node:path';
import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { type Relationship, relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { Budget, type DocumentText, type Section } from './document.ts';
import { drawnSections } from './drawn-sections.ts';
import { ooxmlParagraphs } from './ooxml-paragraphs.ts';
import { byNumber, linkSection, partsOf, pictureSection } from './package-parts.ts';

const NOT_COMPARED = [
  'formatting and styles',
  'tracked changes (text marked as inserted counts as there, as deleted counts as gone)',
  'pixels of pictures, looks of charts and drawings',
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

/** The text of a word document: body with tables and text boxes, headers, footers, notes, comments, charts and diagrams. */
export function docxText(zip: ZipPackage): DocumentText {
  const budget = new Budget();
  const main =
    [...relationshipsOf(zip, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
  const folder = posix.dirname(main);
  const styles = styleNames(zip, `${folder}/styles.xml`);
  const links: Relationship[] = [];
  const section = (name: string, about: Pick<Section, 'kind' | 'name'>): Section => {
    const bytes = zip.read(name);
    if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${name}`);
    links.push(...relationshipsOf(zip, name).values().filter(isLink));
    return { ...about, blocks: ooxmlParagraphs(bytes, name, { budget, styles }), parts: [name] };
  };
  const body = section(main, { kind: 'body', name: 'Body' });
  const beside = BESIDE.flatMap(([start, kind, title]) =>
    byNumber(
      zip.parts.keys().filter((name) => new RegExp(`^${start}\\d*\\.xml$`).test(posix.relative(folder, name))),
    ).map((part) =>
      section(part, { kind, name: `${title}${/\d*(?=\.xml$)/.exec(part)?.[0].replace(/^/, ' ') ?? ''}`.trim() }),
    ),
  );
  return {
    format: 'docx',
    sections: [
      body,
      ...beside,
      ...drawnSections(zip, budget),
      pictureSection(zip),
      linkSection(links.map(({ target }) => target)),
    ],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

const isLink = ({ external }: Relationship): boolean => external;

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
