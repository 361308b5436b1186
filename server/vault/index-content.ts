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

/** What the index holds of a folder, and what it was made of. */
interface EncodedFolder extends Required<IndexContent> {
  readonly path: BytePath;
  readonly found: DiskFolder | undefined;
}

/** By the folder of the tree: an unchanged folder is the same object, and needs no encoding again. */
const encoded = new WeakMap<TreeFolder, EncodedFolder>();

/**
 * Encodes what git's index holds for a tree. A file that the disk is known to hold with the very same content brings its stat
 * along, so that git need not read it.
 */
export function indexContent(
  tree: TreeFolder,
  disk: DiskFolder | undefined,
  owner: IndexOwner,
): Required<IndexContent> {
  return encodeFolder({ path: '' as BytePath, node: tree, found: disk }, owner);
}

interface Place {
  readonly path: BytePath;
  readonly node: TreeFolder;
  readonly found: DiskFolder | undefined;
}

function encodeFolder(place: Place, owner: IndexOwner): EncodedFolder {
  const { path, node, found } = place;
  const known = encoded.get(node);
  if (known !== undefined && known.found === found && known.path === path) return known;
  const now = { path, found, ...encodeAnew(place, owner) };
  encoded.set(node, now);
  return now;
}

function encodeAnew({ path, node, found }: Place, owner: IndexOwner): Required<IndexContent> {
  const chunks: Buffer[] = [];
  const below: CachedTree[] = [];
  let count = 0;
  let run: IndexEntry[] = [];
  const endRun = (): void => {
    if (run.length > 0) chunks.push(encodeEntries(run, owner));
    count += run.length;
    run = [];
  };
  for (const entry of inGitOrder(node.entries)) {
    const at = joinPath(path, entry.name);
    const there = foundAt(entry, node, found);
    if (entry.kind !== 'folder') run.push(fileEntry(at, entry, there));
    else if (entry.oid !== EMPTY_TREE) {
      endRun();
      const inner = encodeFolder({ path: at, node: entry, found: there?.kind === 'folder' ? there : undefined }, owner);
      for (const chunk of inner.chunks) chunks.push(chunk);
      count += inner.count;
      below.push(inner.tree);
    }
  }
  endRun();
  return { chunks, count, tree: { name: node.name, oid: node.oid ?? EMPTY_TREE, count, below } };
}

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
