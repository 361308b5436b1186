import type { BytePath } from '../domain/byte-path.ts';
import { EMPTY_TREE, entryAt } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { headTree } from './head-tree.ts';
import type { OpenVault } from './open-vault.ts';

/** Ids of folders' trees as they would be committed now, from the disk; the empty tree's id where a folder is absent. Nothing is written. */
export async function treeIds(vault: OpenVault, folders: readonly BytePath[]): Promise<readonly Oid[]> {
  const tracked = await headTree(vault);
  const { disk } = await vault.tree.look({ tracked, scope: folders.map((folder) => `${folder}/**`) });
  return folders.map((folder) => {
    const entry = entryAt(disk, folder);
    return (entry?.kind === 'folder' ? entry.oid : undefined) ?? EMPTY_TREE;
  });
}
