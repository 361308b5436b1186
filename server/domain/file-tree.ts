import type { Oid } from './ids.ts';

/** A file, link or gitlink of a tree. Entries are values: a changed one is another object. */
export interface TreeFile {
  readonly kind: 'file' | 'link' | 'gitlink';
  /** One byte a character; no slash. */
  readonly name: string;
  /** Permission bits (0o7777) of a file; 0 for links and gitlinks. */
  readonly mode: number;
  /** Of the blob; undefined while the content has not been read. */
  readonly oid: Oid | undefined;
}

export interface TreeFolder {
  readonly kind: 'folder';
  /** Empty for the root. */
  readonly name: string;
  readonly mode: number;
  /** Of the git tree; undefined where it is not known. Empty folders and modes beyond the exec bit have no part in it. */
  readonly oid: Oid | undefined;
  /** By name in byte order, each name once. */
  readonly entries: readonly TreeEntryNode[];
}

export type TreeEntryNode = TreeFile | TreeFolder;

export const FILE_MODE = 0o644;
export const EXECUTABLE_MODE = 0o755;
export const FOLDER_MODE = 0o755;
/** git's name for the tree without entries. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as Oid;

export const EMPTY_FOLDER: TreeFolder = { kind: 'folder', name: '', mode: FOLDER_MODE, oid: EMPTY_TREE, entries: [] };

/** git keeps one bit of a file's mode: the owner's exec bit. */
export function gitPermissions(mode: number): number {
  return (mode & 0o100) === 0 ? FILE_MODE : EXECUTABLE_MODE;
}

/** Finds an entry by name. */
export function entryNamed<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry === undefined) return undefined;
    if (entry.name === name) return entry;
    if (entry.name < name) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Finds an entry by its path below a folder; the folder itself for the empty path. */
export function entryAt(folder: TreeFolder, path: string): TreeEntryNode | undefined {
  if (path === '') return folder;
  let at: TreeEntryNode | undefined = folder;
  for (const name of path.split('/')) {
    if (at?.kind !== 'folder') return undefined;
    at = entryNamed(at.entries, name);
  }
  return at;
}
