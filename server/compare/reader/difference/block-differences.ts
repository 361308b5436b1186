import type { BlockDifference } from '../../../domain/comparison.ts';
import type { Block } from '../documents/document.ts';
import { type Aligned, align } from './align.ts';
import { wordRuns, wordsOf } from './word-runs.ts';

/** Compares two lists of paragraphs; those that are the same come too. */
export function blockDifferences(before: readonly Block[], after: readonly Block[]): readonly BlockDifference[] {
  return align(before, after, ({ text }) => text).map(blockDifference);
}

/** One paragraph or cell beside the other. */
export function blockDifference({ before, after, same }: Aligned<Block>): BlockDifference {
  const at = { ...(before && { before: before.at }), ...(after && { after: after.at }) };
  const style = after?.style ?? before?.style;
  const about = { at, ...(style !== undefined && { style }) };
  if (same) return { change: 'same', ...about, words: [{ change: 'same', text: after?.text ?? '' }] };
  if (after === undefined)
    return { change: 'deleted', ...about, words: [{ change: 'deleted', text: before?.text ?? '' }] };
  if (before === undefined) return { change: 'added', ...about, words: [{ change: 'added', text: after.text }] };
  return { change: 'changed', ...about, words: wordRuns(wordsOf(before.text), wordsOf(after.text)) };
}
