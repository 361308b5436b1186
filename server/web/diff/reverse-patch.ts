import type { FileChange } from '../api/types.ts';
import type { PatchFile, PatchLine } from './parse-patch.ts';

const OTHER = { context: 'context', add: 'delete', delete: 'add' } as const;

/** The patch that takes another back. */
export function reversePatch({ hunks, ...file }: PatchFile): PatchFile {
  return {
    ...file,
    hunks: hunks.map(({ old_start, new_start, about, lines }) => ({
      old_start: new_start,
      new_start: old_start,
      about,
      lines: deletedFirst(lines.map(({ kind, ...line }) => ({ ...line, kind: OTHER[kind] }))),
    })),
  };
}

/** The same for what is known of a file. */
export function reverseChange({ additions, deletions, ...file }: FileChange): FileChange {
  const change = file.change === 'added' ? 'deleted' : file.change === 'deleted' ? 'added' : file.change;
  return {
    ...file,
    change,
    ...(deletions === undefined ? {} : { additions: deletions }),
    ...(additions === undefined ? {} : { deletions: additions }),
  };
}

/** In each run of changed lines, those that go stand before those that come. */
function deletedFirst(lines: readonly PatchLine[]): readonly PatchLine[] {
  const sorted: PatchLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = lines.findIndex(({ kind }, index) => index >= at && kind === 'context');
    const run = lines.slice(at, end < 0 ? lines.length : end);
    sorted.push(...run.filter(({ kind }) => kind === 'delete'), ...run.filter(({ kind }) => kind === 'add'));
    at += run.length;
    const context = lines[at];
    if (context !== undefined) sorted.push(context);
    at++;
  }
  return sorted;
}
