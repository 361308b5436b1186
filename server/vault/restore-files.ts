import type { WriteScope } from '../domain/write-scope.ts';
import { headTree } from './head-tree.ts';
import type { LockedVault } from './open-vault.ts';
import { revTree } from './rev-tree.ts';
import type { Restored } from './write-files.ts';
import { writeInScope } from './write-in-scope.ts';

/**
 * Makes the files in scope equal to a revision's. What this overwrites and main does not have is kept in a rescue first.
 * @throws DevLoopError ref_invalid, ref_not_found
 */
export async function restoreFiles(
  vault: LockedVault,
  { rev, files: scope, reason }: { readonly rev: string; readonly files: WriteScope; readonly reason: string },
): Promise<Restored> {
  const target = await revTree(vault, rev);
  const head = await headTree(vault);
  return writeInScope(vault, { target, tracked: head, main: head, scope, reason });
}
