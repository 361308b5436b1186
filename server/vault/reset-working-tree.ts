import { headTree } from './head-tree.ts';
import { keepLedgers } from './keep-ledgers.ts';
import { keepRescue } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';
import { revTree } from './rev-tree.ts';
import { rewriteIndex } from './rewrite-index.ts';
import { type Restored, writeFiles } from './write-files.ts';

/**
 * Makes all files equal to a revision's, but for ledgers, which keep their lines, and what the repository cannot hold. The
 * whole state before is kept in a rescue. No ref of the project moves.
 */
export async function resetWorkingTree(
  vault: LockedVault,
  { ref, reason }: { readonly ref: string; readonly reason: string },
): Promise<Restored> {
  const target = await revTree(vault, ref);
  const { disk } = await vault.tree.look({ tracked: await headTree(vault) });
  const restored = await writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, () => undefined),
    read: (file) => readBlob(vault, file),
    rescue: () => keepRescue(vault, { reason }),
  });
  await rewriteIndex(vault);
  return restored;
}
