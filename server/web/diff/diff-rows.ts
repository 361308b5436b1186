import type { FilePath } from '../paths/file-path.ts';
import type { Hunk, PatchFile, PatchLine } from './parse-patch.ts';

export interface Side {
  readonly number: number;
  readonly text: string;
  readonly open?: true;
}

/** A row of a difference as it is shown. */
export type DiffRow =
  | { readonly kind: 'file'; readonly file: number; readonly named: FilePath }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'hunk'; readonly text: string }
  /** Both sides where the line is the same, or was changed into the other; one where it was added or deleted. */
  | {
      readonly kind: 'line';
      readonly change: 'same' | 'changed' | 'added' | 'deleted';
      readonly old?: Side;
      readonly new?: Side;
    };

export type Layout = 'unified' | 'split';

/** The rows of files, with a row for each file's name. In `split`, a deleted and an added line that stand for each other share a row. */
export function diffRows(files: readonly PatchFile[], layout: Layout): readonly DiffRow[] {
  return files.flatMap((file, index) => [
    { kind: 'file' as const, file: index, named: { path: file.path, path_b64: file.path_b64 } },
    ...file.notes.map((text) => ({ kind: 'note' as const, text })),
    ...file.hunks.flatMap((hunk) => hunkRows(hunk, layout)),
  ]);
}

function hunkRows(hunk: Hunk, layout: Layout): readonly DiffRow[] {
  const rows: DiffRow[] = [
    { kind: 'hunk', text: `@@ -${hunk.old_start} +${hunk.new_start} @@ ${hunk.about}`.trimEnd() },
  ];
  let [old, fresh] = [hunk.old_start, hunk.new_start];
  for (let at = 0; at < hunk.lines.length; ) {
    const line = hunk.lines[at];
    if (line === undefined) break;
    if (line.kind === 'context') {
      rows.push({ kind: 'line', change: 'same', old: sideOf(line, old++), new: sideOf(line, fresh++) });
      at++;
      continue;
    }
    const deleted = runOf(hunk.lines, at, 'delete');
    const added = runOf(hunk.lines, at + deleted.length, 'add');
    const change = {
      deleted: deleted.map((one) => sideOf(one, old++)),
      added: added.map((one) => sideOf(one, fresh++)),
    };
    rows.push(...(layout === 'split' ? paired(change) : oneByOne(change)));
    at += Math.max(deleted.length + added.length, 1);
  }
  return rows;
}

interface Change {
  readonly deleted: readonly Side[];
  readonly added: readonly Side[];
}

function paired({ deleted, added }: Change): readonly DiffRow[] {
  return Array.from({ length: Math.max(deleted.length, added.length) }, (_, at): DiffRow => {
    const [before, after] = [deleted[at], added[at]];
    if (before === undefined) return { kind: 'line', change: 'added', ...(after && { new: after }) };
    return after === undefined
      ? { kind: 'line', change: 'deleted', old: before }
      : { kind: 'line', change: 'changed', old: before, new: after };
  });
}

/** Deleted lines, then added ones; each knows the line it stands for, by which its words are marked. */
function oneByOne({ deleted, added }: Change): readonly DiffRow[] {
  const pair = deleted.length === added.length;
  return [
    ...deleted.map(
      (old, at): DiffRow => ({ kind: 'line', change: 'deleted', old, ...mate('new', pair ? added[at] : undefined) }),
    ),
    ...added.map(
      (fresh, at): DiffRow => ({
        kind: 'line',
        change: 'added',
        new: fresh,
        ...mate('old', pair ? deleted[at] : undefined),
      }),
    ),
  ];
}

const mate = (name: 'old' | 'new', side: Side | undefined) => (side === undefined ? {} : { [name]: side });

function runOf(lines: readonly PatchLine[], start: number, kind: PatchLine['kind']): readonly PatchLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(start, end);
}

const sideOf = ({ text, open }: PatchLine, number: number): Side => ({ number, text, ...(open && { open }) });
