import type { TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import { loadTree } from '../tree/index.ts';
import { readCommit } from './commit-info.ts';
import { headTree } from './head-tree.ts';
import type { OpenVault } from './open-vault.ts';
import { resolveCommit } from './rev.ts';

/** The tree of a revision, in memory. Throws ref_invalid, ref_not_found. */
export async function revTree(vault: OpenVault, rev: string): Promise<TreeFolder> {
  return treeOf(vault, await resolveCommit(vault, rev));
}

/** The tree of a commit, in memory. */
export async function treeOf(vault: OpenVault, sha: Oid): Promise<TreeFolder> {
  const { tree } = await readCommit(vault, sha);
  if (vault.refs.treeOf(sha) === tree && (await headTree(vault)).oid === tree) return headTree(vault);
  return loadTree(async (oid) => parseTree((await vault.reader.read(oid)).content), tree);
}
