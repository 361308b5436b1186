import {
  EMPTY_FOLDER,
  EMPTY_TREE,
  EXECUTABLE_MODE,
  FILE_MODE,
  FOLDER_MODE,
  type TreeEntryNode,
  type TreeFolder,
} from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { TreeItem } from '../git/objects/tree-format.ts';

/** Reads one tree object. */
export type ReadTree = (oid: Oid) => Promise<readonly TreeItem[]>;

/** Loads a tree with all that is below it. */
export async function loadTree(read: ReadTree, oid: Oid, name = ''): Promise<TreeFolder> {
  if (oid === EMPTY_TREE) return { ...EMPTY_FOLDER, name };
  const items = await read(oid);
  const entries = await Promise.all(items.map((item) => loadItem(read, item)));
  return { kind: 'folder', name, mode: FOLDER_MODE, oid, entries: entries.sort(byName) };
}

function loadItem(read: ReadTree, { name, mode, oid }: TreeItem): Promise<TreeFolder> | TreeEntryNode {
  switch (mode) {
    case '40000':
      return loadTree(read, oid, name);
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
