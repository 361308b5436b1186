import type { BytePath } from '../domain/byte-path.ts';
import type { CommitInfo, FileChange } from '../domain/commit.ts';
import type { Oid } from '../domain/ids.ts';
import type { TreeDiff } from '../git/diff-tree.ts';
import { EMPTY_TREE } from '../git/objects/object-id.ts';
import { readCommit, readCommitInfos } from './commit-info.ts';
import type { OpenVault } from './open-vault.ts';
import { rootOf } from './read-tree.ts';
import { resolveCommit } from './rev.ts';
import { verifiedDiff } from './verified-diff.ts';

/** Shows a commit with the files it changed against its first parent; all of them where it has none. */
export async function show(
  vault: OpenVault,
  rev: string,
): Promise<{ readonly commit: CommitInfo; readonly files: readonly FileChange[] }> {
  const [commit] = await readCommitInfos(vault, [await resolveCommit(vault, rev)]);
  const { sha, parents } = commit as CommitInfo;
  const [parent] = parents;
  const [from, to] = await Promise.all([parent === undefined ? EMPTY_TREE : treeOf(vault, parent), treeOf(vault, sha)]);
  const { files } = await verifiedDiff(vault, { from, to }, { filesOnly: true });
  return { commit: commit as CommitInfo, files };
}

/** Compares two revisions: the files that differ, with counts, and a unified diff as bytes. */
export async function diff(
  vault: OpenVault,
  ends: { readonly from: string; readonly to: string; readonly path?: BytePath },
): Promise<TreeDiff> {
  const [from, to] = await Promise.all([rootOf(vault, ends.from), rootOf(vault, ends.to)]);
  return verifiedDiff(vault, { from, to }, ends.path === undefined ? {} : { path: ends.path });
}

async function treeOf(vault: OpenVault, commit: Oid): Promise<Oid> {
  return (await readCommit(vault, commit)).tree;
}
