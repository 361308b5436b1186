import { readXml } from '../package/read-xml.ts';
import type { Block, Budget } from './document.ts';

/** The comments of a slide or sheet, at their cells where they name them. */
export function commentBlocks(bytes: Uint8Array, part: string, budget: Budget): readonly Block[] {
  const blocks: Block[] = [];
  let cell = '';
  let text: string | undefined;
  readXml(bytes, part, {
    skip: new Set(['rPh']),
    open: ({ name, attribute }) => {
      if (name === 'comment' || name === 'threadedComment') cell = attribute('ref').slice(0, 30);
      else if (name === 'text') text = '';
    },
    text: (piece) => {
      if (text !== undefined) text += piece;
    },
    close: (name) => {
      const said = text?.trim() ?? '';
      if (name !== 'text') return;
      text = undefined;
      if (said === '') return;
      budget.take(said);
      blocks.push({ text: said, style: 'comment', at: cell || `comment ${blocks.length + 1}` });
    },
  });
  return blocks;
}
