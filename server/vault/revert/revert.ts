import type { BytePath } from '../../domain/byte-path.ts';
import type { Oid } from '../../domain/ids.ts';
import { headTree } from '../head-tree.ts';
import type { LockedVault } from '../open-vault.ts';
import { resolveCommit } from '../rev.ts';
import { commitRevert } from './commit-revert.ts';
import { revertTree } from './revert-tree.ts';
import { inScratchObjects } from './scratch-objects.ts';
import { takeOverFiles } from './take-over-files.ts';

export type RevertOutcome =
  | { readonly kind: 'reverted'; readonly sha: Oid }
  /** Later commits changed the same places of these files; nothing was done. */
  | { readonly kind: 'conflict'; readonly files: readonly BytePath[] }
  | { readonly kind: 'already_reverted' };

/**
 * Undoes a commit, or the one that a tag points to, by a new commit on main; of a merge, what it brought into its first parent.
 * The files follow: what they overwrite that main did not have is kept in a rescue.
 * @throws DevLoopError ref_invalid, ref_not_found
 */
export async function revert(vault: LockedVault, rev: string): Promise<RevertOutcome> {
  const undone = await resolveCommit(vault, rev);
  const before = await headTree(vault);
  const tree = await inScratchObjects(vault, async (scratch) => {
    const merged = await revertTree(vault, scratch, undone);
    if (merged.kind === 'clean') await scratch.keep(merged.tree);
    return merged;
  });
  if (tree.kind === 'conflict') return tree;
  if (tree.tree === before.oid) return { kind: 'already_reverted' };
  const sha = await commitRevert(vault, { undone, tree: tree.tree });
  await takeOverFiles(vault, { before, reason: 'revert' });
  return { kind: 'reverted', sha };
}
