import { type BytePath, joinPath } from '../domain/byte-path.ts';
import { EMPTY_TREE, type TreeEntryNode, type TreeFolder } from '../domain/file-tree.ts';
import { type ObjectSink, putTree } from '../tree/index.ts';

/** A tree without a path; the folders above are put into the sink anew. */
export function withoutPath(tree: TreeFolder, path: BytePath, sink: ObjectSink, at = '' as BytePath): TreeFolder {
  const entries = tree.entries.flatMap((entry): readonly TreeEntryNode[] => {
    const below = joinPath(at, entry.name);
    if (below === path) return [];
    return [entry.kind === 'folder' && path.startsWith(`${below}/`) ? withoutPath(entry, path, sink, below) : entry];
  });
  return { ...tree, entries, oid: putTree(entries.map(withOid), sink) };
}

/** Folders that git does not hold have no id of their own. */
function withOid(entry: TreeEntryNode): TreeEntryNode {
  return entry.oid === undefined ? { ...entry, oid: EMPTY_TREE } : entry;
}

export function countsOf(folder: TreeFolder): { files: number; links: number; folders: number } {
  const counts = { files: 0, links: 0, folders: 0 };
  for (const entry of folder.entries) {
    if (entry.kind !== 'folder') {
      counts[entry.kind === 'link' ? 'links' : 'files']++;
      continue;
    }
    const inner = countsOf(entry);
    counts.folders += 1 + inner.folders;
    counts.files += inner.files;
    counts.links += inner.links;
  }
  return counts;
}
