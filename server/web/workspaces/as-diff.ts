import type { FileChange, WorkspaceDiff } from '../api/types.ts';
import type { PatchFile } from '../diff/parse-patch.ts';
import { documentPatch } from './document-patch.ts';

export interface ShownDiff {
  readonly patch: string;
  readonly files: readonly FileChange[];
  /** Of files that are no text. */
  readonly documents: readonly PatchFile[];
}

/** A workspace's difference as a project's is: a renamed file is a modified one with its new name. */
export function asDiff({ patch, files }: WorkspaceDiff): ShownDiff {
  return {
    patch,
    files: files.map(({ change, opaque: _, renamed_from: _from, comparison: _comparison, ...file }) => ({
      ...file,
      change: change === 'renamed' ? 'modified' : change,
    })),
    documents: files.flatMap(({ path, comparison }) =>
      comparison === undefined ? [] : (documentPatch(path, comparison) ?? []),
    ),
  };
}
