import type { TreeFolder } from '../../domain/file-tree.ts';
import { treeDifference } from '../../domain/tree-difference.ts';
import { inScope, type WriteScope } from '../../domain/write-scope.ts';
import { headTree } from '../head-tree.ts';
import { keepLedgers } from '../keep-ledgers.ts';
import { keepRescue } from '../keep-rescue.ts';
import type { LockedVault } from '../open-vault.ts';
import { readBlob } from '../read-blob.ts';
import { rewriteIndex } from '../rewrite-index.ts';
import { isIn, NOT_ASKED, writeFiles } from '../write-files.ts';

/** Brings the files that differ between what main was and what it is now to the disk; others stay as they are. */
export async function takeOverFiles(
  vault: LockedVault,
  { before, reason }: { readonly before: TreeFolder; readonly reason: string },
): Promise<void> {
  const target = await headTree(vault);
  const scope: WriteScope = treeDifference(before, target).map(({ path }) => path);
  const { disk } = await vault.tree.look({ tracked: target, scope });
  await writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, (path) => (inScope(path, scope) ? undefined : NOT_ASKED)),
    read: (file) => readBlob(vault, file),
    rescue: async ({ files }) => {
      const isKept = files.every((step) => step.from === undefined || isIn(before, step.path, step.from));
      return isKept ? undefined : keepRescue(vault, { reason, scope });
    },
  });
  await rewriteIndex(vault);
}
