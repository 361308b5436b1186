import type { BlockDifference, SectionDifference } from '../../../domain/comparison.ts';
import type { Block } from '../documents/document.ts';
import { align, stretches } from './align.ts';
import { blockDifference } from './block-differences.ts';
import { wordRuns, wordsOf } from './word-runs.ts';

/** A stretch with more words is compared paragraph by paragraph. */
const MOST_WORDS = 6_000;

/**
 * Compares two texts that flow over pages: lines and pages that only break elsewhere are no difference. `at` of the blocks
 * is `page N`; what comes out is by the page on which it is now, or was.
 */
export function pageDifferences(before: readonly Block[], after: readonly Block[]): readonly SectionDifference[] {
  const rows = stretches(before, after, ({ text }) => text).flatMap((row) =>
    'same' in row ? [blockDifference(row)] : stretchDifferences(row.gone, row.come),
  );
  const pages = new Map<string, BlockDifference[]>();
  for (const row of rows) {
    const page = row.at.after ?? row.at.before ?? '';
    const list = pages.get(page) ?? [];
    pages.set(page, list);
    list.push(row);
  }
  const changed = [...pages].filter(([, blocks]) => blocks.some(({ change }) => change !== 'same'));
  return changed.map(([page, blocks]) => sectionOf(page, blocks));
}

function stretchDifferences(gone: readonly Block[], come: readonly Block[]): readonly BlockDifference[] {
  const [words, newWords] = [flowOf(gone), flowOf(come)];
  const fits = words.length + newWords.length <= MOST_WORDS;
  const [first, last] = [gone[0], come[0]];
  if (!fits || first === undefined || last === undefined) {
    return align(gone, come, ({ text }) => text).map(blockDifference);
  }
  const runs = wordRuns(words, newWords);
  const at = { before: first.at, after: last.at };
  return [{ change: runs.every(({ change }) => change === 'same') ? 'same' : 'changed', at, words: runs }];
}

/** The words of paragraphs in a row, each blank as one. */
function flowOf(blocks: readonly Block[]): readonly string[] {
  return wordsOf(
    blocks
      .map(({ text }) => text)
      .join(' ')
      .replace(/\s+/g, ' '),
  );
}

function sectionOf(page: string, blocks: readonly BlockDifference[]): SectionDifference {
  const numbers = {
    before: blocks.find(({ at }) => at.before)?.at.before,
    after: blocks.find(({ at }) => at.after)?.at.after,
  };
  const numberOf = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : Number(text.slice(5));
  const [was, is] = [numberOf(numbers.before), numberOf(numbers.after)];
  return {
    kind: 'page',
    name: `Page ${page.slice(5)}`,
    number: { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) },
    change: was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed',
    blocks,
  };
}
