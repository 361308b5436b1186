import { type BytePath, fromPathText, joinPath } from '../domain/byte-path.ts';
import {
  EMPTY_FOLDER,
  EMPTY_TREE,
  FOLDER_MODE,
  gitPermissions,
  type TreeEntryNode,
  type TreeFolder,
} from '../domain/file-tree.ts';
import type { Point } from '../domain/point.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** A point's files in memory, with all that git does not hold: permission bits, empty folders. */
export async function pointTree(workspace: OpenWorkspace, point: Point): Promise<TreeFolder> {
  const tree = await workspace
    .tree()
    .files.load(point.files, async (folder) => parseTree((await workspace.reader.read(folder)).content));
  return withManifest(tree, point);
}

/** Puts a manifest's modes and folders over a tree of git's. What is right as it is stays the same object. */
export function withManifest(tree: TreeFolder, { modes, folders }: Pick<Point, 'modes' | 'folders'>): TreeFolder {
  const fileModes = new Map(modes.map((row) => [fromPathText(row), row.mode]));
  const folderModes = new Map(folders.map((row) => [fromPathText(row), row.mode]));
  const extra = childrenOf([...folderModes.keys()]);
  const told = new Set([...extra.keys(), ...childrenOf([...fileModes.keys()]).keys(), ...folderModes.keys()]);

  function folder(path: BytePath, now: TreeFolder): TreeFolder {
    if (!told.has(path) && isUsual(now)) return now;
    const entries = now.entries
      .filter((entry) => entry.kind !== 'folder' || entry.oid !== EMPTY_TREE)
      .map((entry) => one(joinPath(path, entry.name), entry));
    const names = new Set(entries.map(({ name }) => name));
    for (const name of extra.get(path) ?? []) {
      if (!names.has(name)) entries.push(folder(joinPath(path, name), { ...EMPTY_FOLDER, name }));
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const mode = folderModes.get(path) ?? FOLDER_MODE;
    const isSame = mode === now.mode && entries.length === now.entries.length;
    if (isSame && entries.every((entry, i) => entry === now.entries[i])) return now;
    return { kind: 'folder', name: now.name, mode, oid: now.oid, entries };
  }

  function one(path: BytePath, entry: TreeEntryNode): TreeEntryNode {
    if (entry.kind === 'folder') return folder(path, entry);
    if (entry.kind !== 'file') return entry;
    const mode = fileModes.get(path) ?? gitPermissions(entry.mode);
    return mode === entry.mode ? entry : { kind: 'file', name: entry.name, mode, oid: entry.oid };
  }

  return folder('' as BytePath, tree);
}

/** Folders are values, so that what is known of one stays true. */
const known = new WeakMap<TreeFolder, boolean>();

/** True where a folder is what git alone tells of it: usual modes, and no folder without files. */
function isUsual(folder: TreeFolder): boolean {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const usual =
    folder.mode === FOLDER_MODE &&
    folder.oid !== EMPTY_TREE &&
    folder.entries.every((entry) =>
      entry.kind === 'folder' ? isUsual(entry) : entry.kind !== 'file' || gitPermissions(entry.mode) === entry.mode,
    );
  known.set(folder, usual);
  return usual;
}

/** The names below each folder that lead to some paths. */
function childrenOf(paths: readonly BytePath[]): ReadonlyMap<BytePath, ReadonlySet<string>> {
  const children = new Map<BytePath, Set<string>>();
  for (const path of paths) {
    let above = '' as BytePath;
    for (const name of path === '' ? [] : path.split('/')) {
      children.set(above, (children.get(above) ?? new Set()).add(name));
      above = joinPath(above, name);
    }
  }
  return children;
}
