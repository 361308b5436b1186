import { readXml } from '../package/read-xml.ts';
import type { ZipPackage } from '../package/zip-package.ts';
import type { Block, Budget, Section } from './document.ts';
import { ooxmlParagraphs } from './ooxml-paragraphs.ts';
import { byNumber } from './package-parts.ts';

/** Parts that draw something with text in it, and what they are called. */
const DRAWN = [
  [/(?:^|\/)charts\/chart(\d*)\.xml$/, 'Chart'],
  [/(?:^|\/)diagrams\/data(\d*)\.xml$/, 'Diagram'],
  [/^xl\/drawings\/drawing(\d*)\.xml$/, 'Drawing'],
] as const;

/** The texts of an office document's charts with their values, of its diagrams, and of what is drawn on sheets. */
export function drawnSections(zip: ZipPackage, budget: Budget): readonly Section[] {
  return DRAWN.flatMap(([pattern, title]) =>
    byNumber(zip.parts.keys().filter((name) => pattern.test(name))).map((part): Section => {
      const bytes = zip.read(part) ?? new Uint8Array();
      const blocks = [...ooxmlParagraphs(bytes, part, { budget, word: 'text' }), ...valueBlocks(bytes, part, budget)];
      return { kind: 'charts', name: `${title} ${pattern.exec(part)?.[1] ?? ''}`.trim(), blocks, parts: [part] };
    }),
  );
}

/** What a chart keeps of the cells that it shows. */
function valueBlocks(bytes: Uint8Array, part: string, budget: Budget): readonly Block[] {
  const blocks: Block[] = [];
  let value: string | undefined;
  readXml(bytes, part, {
    open: ({ name }) => {
      value = name === 'v' ? '' : undefined;
    },
    text: (piece) => {
      if (value !== undefined) value += piece;
    },
    close: (name) => {
      if (name !== 'v' || value === undefined) return;
      budget.take(value);
      blocks.push({ text: value, style: 'value', at: `value ${blocks.length + 1}` });
      value = undefined;
    },
  });
  return blocks;
}
