import type { TreeEntryNode, TreeFolder } from '../domain/file-tree.ts';
import { paired } from '../domain/tree-difference.ts';

/** The names of both trees; where both have one, the first one's entry, folders put together. Object ids of folders mean nothing then. */
export function mergeTrees(a: TreeFolder, b: TreeFolder): TreeFolder {
  if (a === b || (a.oid !== undefined && a.oid === b.oid)) return a;
  const entries: TreeEntryNode[] = [];
  for (const [left, right] of paired(a.entries, b.entries)) {
    const entry = left?.kind === 'folder' && right?.kind === 'folder' ? mergeTrees(left, right) : (left ?? right);
    if (entry !== undefined) entries.push(entry);
  }
  return { ...a, oid: undefined, entries };
}
