import type { FileChange } from '../api/types.ts';
import type { PatchFile, PatchLine } from './parse-patch.ts';

const OTHER = { context: 'context', add: 'delete', delete: 'add' } as const;

/** The patch that takes another back. */
export function reversePatch({ hunks, notes, ...file }: PatchFile): PatchFile {
  return {
    ...file,
    notes: reverseNotes(notes),
    hunks: hunks.map(({ old_start, new_start, about, lines }) => ({
      old_start: new_start,
      new_start: old_start,
      about,
      lines: deletedFirst(lines.map(({ kind, ...line }) => ({ ...line, kind: OTHER[kind] }))),
    })),
  };
}

/** What came goes, and the mode that was comes again; the old one is still told first. */
function reverseNotes(notes: readonly string[]): readonly string[] {
  const turned = notes.map((note) =>
    note.replace(/^(new file|deleted file|old|new) mode/, (_, what: string) => `${TURNED[what]} mode`),
  );
  return turned[0]?.startsWith('new mode') ? turned.toReversed() : turned;
}

const TURNED: Readonly<Record<string, string>> = {
  'new file': 'deleted file',
  'deleted file': 'new file',
  old: 'new',
  new: 'old',
};

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
