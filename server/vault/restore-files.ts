import { inScope, type WriteScope } from '../domain/write-scope.ts';
import { headTree } from './head-tree.ts';
import { keepLedgers } from './keep-ledgers.ts';
import { keepRescue } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';
import { revTree } from './rev-tree.ts';
import { isIn, NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

/**
 * Makes the files in scope equal to a revision's. What this overwrites and main does not have is kept in a rescue first.
 * @throws DevLoopError ref_invalid, ref_not_found
 */
export async function restoreFiles(
  vault: LockedVault,
  from: { readonly rev: string; readonly files: WriteScope; readonly reason: string },
): Promise<Restored> {
  const { rev, files: scope, reason } = from;
  const target = await revTree(vault, rev);
  const head = await headTree(vault);
  const { disk } = await vault.tree.look({ tracked: head, scope });
  return writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, (path) => (inScope(path, scope) ? undefined : NOT_ASKED)),
    read: (file) => readBlob(vault, file),
    rescue: async ({ files }) => {
      const isKept = files.every((step) => step.from === undefined || isIn(head, step.path, step.from));
      return isKept ? undefined : keepRescue(vault, { reason, scope });
    },
  });
}
