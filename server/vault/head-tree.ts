import type { TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import { readCommit } from './commit-info.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

const known = new WeakMap<OpenVault['tree'], { readonly sha: Oid; readonly tree: TreeFolder }>();

/** The tree of main, in memory; git is asked only for what nobody remembers. */
export async function headTree(vault: OpenVault): Promise<TreeFolder> {
  const sha = recordedHead(vault);
  const before = known.get(vault.tree);
  if (before?.sha === sha) return before.tree;
  const oid = vault.refs.treeOf(sha) ?? (await readCommit(vault, sha)).tree;
  const tree = await loadTree(vault, oid);
  rememberHead(vault, sha, tree);
  return tree;
}

/** Any tree of the repository, in memory. */
export function loadTree(vault: OpenVault, oid: Oid): Promise<TreeFolder> {
  return vault.tree.committed(oid, async (folder) => parseTree((await vault.reader.read(folder)).content));
}

export function rememberHead(vault: OpenVault, sha: Oid, tree: TreeFolder): void {
  known.set(vault.tree, { sha, tree });
}
