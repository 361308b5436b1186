import type { WorkspaceDiff } from '../api/types.ts';
import type { PatchFile, PatchLine } from '../diff/parse-patch.ts';

type Comparison = NonNullable<WorkspaceDiff['files'][number]['comparison']>;
type Structured = Extract<Comparison, { kind: 'document' | 'pdf' }>;
type Block = Structured['sections'][number]['blocks'][number];

/** A document's difference in the form of a text's: a part for each section, and a line for each block, so that words are marked in the same way. */
export function documentPatch(path: string, comparison: Comparison): PatchFile | undefined {
  if (comparison.kind === 'same' || comparison.kind === 'text') return undefined;
  if (comparison.kind === 'binary') return { path, notes: [comparison.detail ?? comparison.why], hunks: [] };
  if (comparison.kind === 'image') return { path, notes: [pictureNote(comparison)], hunks: [] };
  const hunks = comparison.sections.map(({ name, number, blocks }) => ({
    old_start: number?.before ?? 1,
    new_start: number?.after ?? 1,
    about: name,
    lines: blocks.flatMap(linesOf),
  }));
  return { path, notes: comparison.not_compared, hunks };
}

function linesOf({ change, words }: Block): readonly PatchLine[] {
  const without = (left: 'added' | 'deleted') =>
    words
      .map((word) => (word.change === left ? '' : word.text))
      .join('')
      .replace(/\s+/g, ' ');
  if (change === 'same') return [{ kind: 'context', text: without('added') }];
  return [
    ...(change === 'added' ? [] : [{ kind: 'delete' as const, text: without('added') }]),
    ...(change === 'deleted' ? [] : [{ kind: 'add' as const, text: without('deleted') }]),
  ];
}

function pictureNote({ pictures: { before, after }, difference }: Extract<Comparison, { kind: 'image' }>): string {
  const sides = [before, after].map((side) =>
    side === undefined ? '–' : `${side.format} ${side.width} × ${side.height}`,
  );
  const share = difference === undefined ? '' : `, ${(difference.changed_share * 100).toFixed(1)} %`;
  return `${sides.join(' → ')}${share}`;
}
