import { UnreadError } from '../../unread-error.ts';
import { readXml } from '../package/read-xml.ts';
import { type Relationship, relationshipsOf } from '../package/relationships.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import { commentBlocks } from './comment-blocks.ts';
import { type Block, Budget, type DocumentText, type Section } from './document.ts';
import { drawnSections } from './drawn-sections.ts';
import { ooxmlParagraphs } from './ooxml-paragraphs.ts';
import { linkSection, partsOf, pictureSection } from './package-parts.ts';

const NOT_COMPARED = [
  'formatting and layout',
  'looks of charts and diagrams',
  'pixels of pictures',
  'animations',
  'master slides',
];

/** The text of a presentation: slides in the order in which they are shown, each with its tables, notes and comments; charts and diagrams. */
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
      ...slideText(zip, part, { related, budget }),
    };
  });
  return {
    format: 'pptx',
    sections: [...slides, ...drawnSections(zip, budget), pictureSection(zip), linkSection(links)],
    not_compared: NOT_COMPARED,
    parts: partsOf(zip),
  };
}

function slideText(
  zip: ZipPackage,
  part: string,
  { related, budget }: { readonly related: readonly Relationship[]; readonly budget: Budget },
): Required<Pick<Section, 'blocks' | 'parts'>> {
  const bytes = zip.read(part);
  if (bytes === undefined) throw new UnreadError('damaged', `the package has no ${part}`);
  const besides = related.flatMap(({ type, target }) => {
    const content = type === 'notesSlide' || type === 'comments' ? zip.read(target) : undefined;
    return content === undefined ? [] : [{ type, target, content }];
  });
  const blocks = besides.flatMap(({ type, target, content }) =>
    type === 'notesSlide'
      ? ooxmlParagraphs(content, target, { budget, word: 'notes', style: 'notes', withoutFields: true })
      : [
          ...commentBlocks(content, target, budget),
          ...ooxmlParagraphs(content, target, { budget, word: 'comment', style: 'comment' }),
        ],
  );
  return {
    blocks: [...hiddenBlocks(bytes, part), ...ooxmlParagraphs(bytes, part, { budget, word: 'text' }), ...blocks],
    parts: [part, ...besides.map(({ target }) => target)],
  };
}

function hiddenBlocks(bytes: Buffer, part: string): readonly Block[] {
  let hidden = false;
  readXml(bytes, part, {
    open: ({ name, attribute }) => {
      hidden ||= name === 'sld' && /^(0|false)$/.test(attribute('show'));
    },
  });
  return hidden ? [{ text: 'is hidden', style: 'state', at: 'slide' }] : [];
}

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
