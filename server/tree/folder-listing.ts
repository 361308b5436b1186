import { constants, type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import type { BytePath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { type DiskFile, type DiskFolder, isSettled, type Stamp, sameStamp } from './disk-tree.ts';

const NOT_ASCII = /[^\x00-\x7f]/;
const QUIET = { throwIfNoEntry: false } as const;

export interface Found {
  readonly name: string;
  readonly kind: 'file' | 'link' | 'folder' | 'gitlink' | 'special';
}

export interface FolderListing {
  /** In byte order; empty where the folder is unchanged. */
  readonly names: readonly Found[];
  readonly stamp: Stamp & { readonly mode: number };
  /** The folder has the stamp of the known one, so its names are the known ones. */
  readonly unchanged: boolean;
}

/**
 * Lists a folder, unless its stamp shows that it holds the names that are known.
 * @param known a settled earlier look at the same folder
 */
export function listFolder(root: string, path: BytePath, known: DiskFolder | undefined): FolderListing | LeftOutReason {
  const at = diskPath(root, path);
  const seen = Date.now();
  try {
    const stats = lstatSync(at);
    if (!stats.isDirectory()) return 'vanished';
    const stamp = stampOf(stats, seen);
    if (known !== undefined && sameStamp(known, stamp)) return { names: [], stamp, unchanged: true };
    const names = readdirSync(at, { encoding: 'latin1', withFileTypes: true }).map(foundOf).sort(byName);
    return { names, stamp, unchanged: false };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Looks at one file or link. @param onShared is told of a file that has other names as well */
export function statEntry(
  { root, path, name }: { readonly root: string; readonly path: BytePath; readonly name: string },
  onShared: () => void,
): DiskFile | LeftOutReason {
  const seen = Date.now();
  try {
    const stats = lstatSync(diskPath(root, path), { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return 'vanished';
    const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : undefined;
    if (kind === undefined) return 'special_file';
    if (stats.nlink > 1) onShared();
    const stamp = stampOf(stats, seen);
    return { ...stamp, kind, name, mode: kind === 'file' ? stamp.mode : 0, oid: undefined };
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Makes the check that most files of a folder pass at each look, kept as cheap as can be: true where a file is settled and is
 * what it was. False says nothing: the file must be looked at in full. `onShared` as for `statEntry`.
 */
export function unchangedFiles(root: string, folder: BytePath, onShared: () => void): (file: DiskFile) => boolean {
  const parent = diskPath(root, folder);
  if (typeof parent !== 'string') return () => false;
  return (file) => {
    if (NOT_ASCII.test(file.name) || !isSettled(file)) return false;
    try {
      const stats = lstatSync(`${parent}/${file.name}`, QUIET);
      if (stats !== undefined && stats.nlink > 1) onShared();
      return (
        stats !== undefined &&
        stats.ctimeMs === file.ctime &&
        stats.mtimeMs === file.mtime &&
        stats.size === file.size &&
        stats.ino === file.ino &&
        (stats.mode & constants.S_IFMT) === (file.kind === 'file' ? constants.S_IFREG : constants.S_IFLNK) &&
        (file.kind === 'link' || (stats.mode & 0o7777) === file.mode)
      );
    } catch (error) {
      reasonOf(error);
      return false;
    }
  };
}

export function stampOf(stats: Stats, seen: number): Stamp & { readonly mode: number } {
  return {
    size: stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    ino: stats.ino,
    mode: stats.mode & 0o7777,
    seen,
  };
}

function foundOf(entry: Dirent<string>): Found {
  return { name: entry.name, kind: kindOf(entry) };
}

function kindOf(entry: Dirent<string>): Found['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

const byName = (a: Found, b: Found): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** What a refusal of the system means for a walk; other errors are no finding about a path. */
export function reasonOf(error: unknown): LeftOutReason {
  // EINVAL: what was to be read as a link is none any more.
  if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EINVAL')) return 'vanished';
  if (hasCode(error, 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'ESTALE')) return 'unreadable';
  throw error;
}

/** What is thrown where the folder that a walk begins at cannot be read. */
export function rootUnreadable(root: string, reason: LeftOutReason): DevLoopError {
  const code = reason === 'unreadable' ? 'permission_denied' : 'not_found';
  return new DevLoopError(code, `the folder ${root} cannot be read`, { data: { root, reason } });
}
