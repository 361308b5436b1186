import { type BytePath, joinPath } from '../domain/byte-path.ts';
import {
  EMPTY_TREE,
  entryNamed,
  gitPermissions,
  type TreeEntryNode,
  type TreeFile,
  type TreeFolder,
} from '../domain/file-tree.ts';
import {
  type CachedTree,
  encodeEntries,
  type IndexContent,
  type IndexEntry,
  type IndexOwner,
} from '../git/index-format.ts';
import type { TreeMode } from '../git/objects/tree-format.ts';
import type { DiskFile, DiskFolder } from '../tree/index.ts';

/** By the folder of the tree: an unchanged folder is the same object, and needs no encoding again. */
const encoded = new WeakMap<
  TreeFolder,
  { readonly found: DiskFolder | undefined; readonly path: BytePath; readonly bytes: Buffer }
>();

/**
 * Encodes what git's index holds for a tree. A file that the disk is known to hold with the very same content brings its stat
 * along, so that git need not read it.
 */
export function indexContent(
  tree: TreeFolder,
  disk: DiskFolder | undefined,
  owner: IndexOwner,
): Required<IndexContent> {
  const chunks: Buffer[] = [];
  let run: IndexEntry[] = [];
  let count = 0;

  function folder(path: BytePath, node: TreeFolder, found: DiskFolder | undefined): CachedTree {
    const before = count;
    const below: CachedTree[] = [];
    for (const entry of inGitOrder(node.entries)) {
      if (entry.kind === 'folder' && entry.oid !== EMPTY_TREE) {
        const at = joinPath(path, entry.name);
        const there = foundAt(entry, node, found);
        const inner = there?.kind === 'folder' ? there : undefined;
        below.push(isFlat(entry) ? files(at, entry, inner) : folder(at, entry, inner));
      } else if (entry.kind !== 'folder') {
        run.push(fileEntry(joinPath(path, entry.name), entry, foundAt(entry, node, found)));
        count++;
      }
    }
    return { name: node.name, oid: node.oid ?? EMPTY_TREE, count: count - before, below };
  }

  function files(path: BytePath, node: TreeFolder, found: DiskFolder | undefined): CachedTree {
    const known = encoded.get(node);
    endRun();
    if (known !== undefined && known.found === found && known.path === path) chunks.push(known.bytes);
    else {
      const entries = node.entries.map((entry) =>
        fileEntry(joinPath(path, entry.name), entry as TreeFile, foundAt(entry, node, found)),
      );
      const bytes = encodeEntries(entries, owner);
      encoded.set(node, { found, path, bytes });
      chunks.push(bytes);
    }
    count += node.entries.length;
    return { name: node.name, oid: node.oid ?? EMPTY_TREE, count: node.entries.length, below: [] };
  }

  function endRun(): void {
    if (run.length > 0) chunks.push(encodeEntries(run, owner));
    run = [];
  }

  const cached = folder('' as BytePath, tree, disk);
  endRun();
  return { chunks, count, tree: cached };
}

const isFlat = ({ entries }: TreeFolder): boolean => entries.every(({ kind }) => kind !== 'folder');

/** What the disk has for an entry; where the tree was made of the disk, that is the entry itself. */
function foundAt(
  entry: TreeEntryNode,
  node: TreeFolder,
  found: DiskFolder | undefined,
): DiskFile | DiskFolder | undefined {
  return node === found ? (entry as DiskFile | DiskFolder) : found && entryNamed(found.entries, entry.name);
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
