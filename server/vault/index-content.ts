import { type BytePath, joinPath } from '../domain/byte-path.ts';
import {
  EMPTY_TREE,
  entryNamed,
  gitPermissions,
  type TreeEntryNode,
  type TreeFile,
  type TreeFolder,
} from '../domain/file-tree.ts';
import type { CachedTree, IndexEntry } from '../git/index-format.ts';
import type { TreeMode } from '../git/objects/tree-format.ts';
import type { DiskFile, DiskFolder } from '../tree/index.ts';

/**
 * Lists what git's index holds for a tree. A file that the disk is known to hold with the very same content brings its stat
 * along, so that git need not read it.
 */
export function indexContent(
  tree: TreeFolder,
  disk: DiskFolder | undefined,
): { readonly entries: readonly IndexEntry[]; readonly tree: CachedTree } {
  const entries: IndexEntry[] = [];

  function folder(path: BytePath, node: TreeFolder, found: DiskFolder | undefined): CachedTree {
    const before = entries.length;
    const below: CachedTree[] = [];
    for (const entry of inGitOrder(node.entries)) {
      const at = joinPath(path, entry.name);
      const there = node === found ? (entry as DiskFile | DiskFolder) : found && entryNamed(found.entries, entry.name);
      if (entry.kind !== 'folder') entries.push(fileEntry(at, entry, there));
      else if (entry.oid !== EMPTY_TREE) below.push(folder(at, entry, there?.kind === 'folder' ? there : undefined));
    }
    return { name: node.name, oid: node.oid ?? EMPTY_TREE, count: entries.length - before, below };
  }

  return { tree: folder('' as BytePath, tree, disk), entries };
}

function fileEntry(path: BytePath, file: TreeFile, there: DiskFile | DiskFolder | undefined): IndexEntry {
  const oid = file.oid ?? EMPTY_TREE;
  const same = there !== undefined && there.kind === file.kind && there.oid === oid;
  return { path, mode: modeOf(file), oid, stat: same ? there : undefined };
}

function modeOf({ kind, mode }: TreeFile): TreeMode {
  if (kind !== 'file') return kind === 'link' ? '120000' : '160000';
  return gitPermissions(mode) === 0o755 ? '100755' : '100644';
}

/** A folder stands where its name with a slash would: after `a.b`, though `a` comes before it. */
function inGitOrder(entries: readonly TreeEntryNode[]): readonly TreeEntryNode[] {
  const inOrder = entries.every((entry, i) => {
    const next = entries[i + 1];
    return entry.kind !== 'folder' || next === undefined || orderKey(entry) < orderKey(next);
  });
  return inOrder ? entries : entries.toSorted((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
}

const orderKey = ({ kind, name }: TreeEntryNode): string => (kind === 'folder' ? `${name}/` : name);
