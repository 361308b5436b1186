import type { BlockDifference, SectionDifference } from '../../../domain/comparison.ts';
import { OUTPUT } from '../limits.ts';

export interface ShownSections {
  readonly sections: readonly SectionDifference[];
  readonly counts: { readonly added: number; readonly deleted: number; readonly changed: number };
}

/** What of the differences is given out: each change with a block of context before and after it, up to the limits. */
export function shownSections(all: readonly SectionDifference[]): ShownSections {
  const counts = { added: 0, deleted: 0, changed: 0 };
  let [blocksLeft, charactersLeft]: [number, number] = [OUTPUT.blocks, OUTPUT.characters];
  const sections = all.map((section): SectionDifference => {
    for (const { change } of section.blocks) if (change !== 'same') counts[change]++;
    const listed = withContext(section.blocks);
    const shown = listed.filter(({ words }) => {
      charactersLeft -= words.reduce((sum, { text }) => sum + text.length, 0);
      return --blocksLeft >= 0 && charactersLeft >= 0;
    });
    const left_out = listed.length - shown.length;
    return { ...section, blocks: shown, ...(left_out > 0 && { left_out }) };
  });
  return { sections, counts };
}

const CONTEXT = 1;

function withContext(blocks: readonly BlockDifference[]): readonly BlockDifference[] {
  const shown: BlockDifference[] = [];
  let skipped = 0;
  blocks.forEach((block, at) => {
    const near = blocks.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ change }) => change !== 'same');
    if (!near) skipped++;
    else {
      shown.push(skipped > 0 ? { ...block, skipped } : block);
      skipped = 0;
    }
  });
  return shown;
}
