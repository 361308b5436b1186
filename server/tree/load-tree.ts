import {
  EMPTY_FOLDER,
  EMPTY_TREE,
  EXECUTABLE_MODE,
  entryNamed,
  FILE_MODE,
  FOLDER_MODE,
  type TreeEntryNode,
  type TreeFolder,
} from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { TreeItem } from '../git/objects/tree-format.ts';

/** Reads one tree object. */
export type ReadTree = (oid: Oid) => Promise<readonly TreeItem[]>;

/**
 * Loads a tree with all that is below it.
 * @param known a tree in memory: folders that are the same in both are taken from it, with the modes that they have there
 */
export function loadTree(read: ReadTree, oid: Oid, known?: TreeFolder): Promise<TreeFolder> {
  return loadFolder(read, { name: '', oid }, known);
}

async function loadFolder(
  read: ReadTree,
  { name, oid }: Pick<TreeItem, 'name' | 'oid'>,
  known: TreeFolder | undefined,
): Promise<TreeFolder> {
  if (known?.oid === oid) return known;
  if (oid === EMPTY_TREE) return { ...EMPTY_FOLDER, name };
  const items = await read(oid);
  const entries = await Promise.all(items.map((item) => loadItem(read, item, known)));
  return { kind: 'folder', name, mode: FOLDER_MODE, oid, entries: entries.sort(byName) };
}

function loadItem(read: ReadTree, item: TreeItem, known: TreeFolder | undefined): Promise<TreeFolder> | TreeEntryNode {
  const { name, mode, oid } = item;
  switch (mode) {
    case '40000': {
      const same = known && entryNamed(known.entries, name);
      return loadFolder(read, item, same?.kind === 'folder' ? same : undefined);
    }
    case '120000':
      return { kind: 'link', name, mode: 0, oid };
    case '160000':
      return { kind: 'gitlink', name, mode: 0, oid };
    case '100644':
      return { kind: 'file', name, mode: FILE_MODE, oid };
    case '100755':
      return { kind: 'file', name, mode: EXECUTABLE_MODE, oid };
  }
}

const byName = (a: TreeEntryNode, b: TreeEntryNode): number => (a.name < b.name ? -1 : 1);
