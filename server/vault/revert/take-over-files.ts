import type { TreeFolder } from '../../domain/file-tree.ts';
import { treeDifference } from '../../domain/tree-difference.ts';
import { headTree } from '../head-tree.ts';
import type { LockedVault } from '../open-vault.ts';
import { rewriteIndex } from '../rewrite-index.ts';
import { writeInScope } from '../write-in-scope.ts';

/** Brings the files that differ between what main was and what it is now to the disk; others stay as they are. */
export async function takeOverFiles(
  vault: LockedVault,
  { before, reason }: { readonly before: TreeFolder; readonly reason: string },
): Promise<void> {
  const target = await headTree(vault);
  const scope = treeDifference(before, target).map(({ path }) => path);
  await writeInScope(vault, { target, tracked: target, main: before, scope, reason });
  await rewriteIndex(vault);
}
