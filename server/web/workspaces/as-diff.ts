import type { FileChange, WorkspaceDiff } from '../api/types.ts';

/** A workspace's difference as a project's is: a renamed file is a modified one with its new name. */
export function asDiff({ patch, files }: WorkspaceDiff): {
  readonly patch: string;
  readonly files: readonly FileChange[];
} {
  return {
    patch,
    files: files.map(({ change, opaque: _, renamed_from: _from, ...file }) => ({
      ...file,
      change: change === 'renamed' ? 'modified' : change,
    })),
  };
}
