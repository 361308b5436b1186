import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { type Relationship, relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { type Block, Budget, type DocumentText, type Section } from './document.ts';
import { ooxmlParagraphs } from './ooxml-paragraphs.ts';
import { linkSection, partsOf, pictureSection } from './package-parts.ts';

const NOT_COMPARED = [
  'formatting and layout',
  'comments',
  'charts and diagrams',
  'pixels of pictures',
  'animations',
  'master slides',
];

/** The text of a presentation: slides in the order in which they are shown, each with its tables and notes. */
export function pptxText(zip: ZipPackage): DocumentText {
  const budget = new Budget();
  const main =
    [...relationshipsOf(zip, '').values()].find(({ type }) => type === 'officeDocument')?.target ??
    'ppt/presentation.xml';
  const links: string[] = [];
  const slides = slideParts(zip, main).map((part, at): Section => {
    const related = [...relationshipsOf(zip, part).values()];
    links.push(...related.filter(({ external }) => external).map(({ target }) => target));
    return {
      kind: 'slide',
      name: `Slide ${at + 1}`,
      number: at + 1,
      blocks: slideBlocks(zip, part, { related, budget }),
    };
  });
  return {
    format: 'pptx',
    sections: [...slides, pictureSection(zip), linkSection(links)],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

function slideBlocks(
  zip: ZipPackage,
  part: string,
  { related, budget }: { readonly related: readonly Relationship[]; readonly budget: Budget },
): readonly Block[] {
  const bytes = zip.read(part);
  if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${part}`);
  const notes = related.find(({ type }) => type === 'notesSlide')?.target ?? '';
  const noted = zip.read(notes);
  return [
    ...ooxmlParagraphs(bytes, part, { budget, word: 'text' }),
    ...(noted === undefined
      ? []
      : ooxmlParagraphs(noted, notes, { budget, word: 'notes', style: 'notes' }).filter(isNote)),
  ];
}

/** The notes' page has the number of its slide as well. */
const isNote = ({ text }: Block): boolean => !/^\d{1,4}$/.test(text);

function slideParts(zip: ZipPackage, main: string): readonly string[] {
  const bytes = zip.read(main);
  if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${main}`);
  const related = relationshipsOf(zip, main);
  const slides: string[] = [];
  readXml(bytes, main, {
    open: ({ name, attribute }) => {
      // It has an `id` of its own beside that of the relationship, which comes with a prefix.
      if (name === 'sldId') slides.push(related.get(attribute(':id'))?.target ?? '');
    },
  });
  return slides.filter((name) => name !== '');
}
