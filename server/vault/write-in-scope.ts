import type { TreeFolder } from '../domain/file-tree.ts';
import { inScope, type WriteScope } from '../domain/write-scope.ts';
import { keepLedgers } from './keep-ledgers.ts';
import { keepRescue } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';
import { isIn, NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

export interface ScopedWrite {
  readonly target: TreeFolder;
  /** What the folder is thought to have. */
  readonly tracked: TreeFolder;
  /** A tree of main: what this overwrites and it does not have is kept in a rescue first. */
  readonly main: TreeFolder;
  readonly scope: WriteScope;
  readonly reason: string;
}

/** Makes the files in scope equal to a tree's; ledgers and all others stay. */
export async function writeInScope(vault: LockedVault, write: ScopedWrite): Promise<Restored> {
  const { target, tracked, main, scope, reason } = write;
  const { disk } = await vault.tree.look({ tracked, scope });
  return writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, (path) => (inScope(path, scope) ? undefined : NOT_ASKED)),
    read: (file) => readBlob(vault, file),
    rescue: async ({ files }) => {
      const isKept = files.every((step) => step.from === undefined || isIn(main, step.path, step.from));
      return isKept ? undefined : keepRescue(vault, { reason, scope });
    },
  });
}
