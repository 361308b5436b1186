import type { BytePath } from '../domain/byte-path.ts';
import type { CommitInfo, FileChange } from '../domain/commit.ts';
import { diffTree, type TreeDiff } from '../git/diff-tree.ts';
import { EMPTY_TREE } from '../git/objects/object-id.ts';
import { readCommitInfos } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';
import { resolveCommit } from './rev.ts';

/** Shows a commit with the files it changed against its first parent; all of them where it has none. */
export async function show(
  vault: OpenVault,
  rev: string,
): Promise<{ readonly commit: CommitInfo; readonly files: readonly FileChange[] }> {
  const [commit] = await readCommitInfos(vault, [await resolveCommit(vault, rev)]);
  const { sha, parents } = commit as CommitInfo;
  const { files } = await diffTree(vault.shadow, { from: parents[0] ?? EMPTY_TREE, to: sha }, { filesOnly: true });
  return { commit: commit as CommitInfo, files };
}

/** Compares two revisions: the files that differ, with counts, and a unified diff as bytes. */
export async function diff(
  vault: OpenVault,
  ends: { readonly from: string; readonly to: string; readonly path?: BytePath },
): Promise<TreeDiff> {
  const [from, to] = await Promise.all([resolveCommit(vault, ends.from), resolveCommit(vault, ends.to)]);
  return diffTree(vault.shadow, { from, to }, ends.path === undefined ? {} : { path: ends.path });
}
