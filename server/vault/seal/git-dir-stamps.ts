import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { hasCode } from '../../io/io-error.ts';
import { pathBelow } from '../../io/path-below.ts';

/**
 * What tells whether an entry of `.git` was touched: its kind and mode, inode, and of files size, time of the last change of
 * any kind in nanoseconds, and number of names. Two are compared as strings; the first character is the kind.
 */
export type Stamp = string;

/** Stamps of all entries by their path below `.git` (bytes, latin1), parents first; the folder itself has the empty path. */
export type Stamps = ReadonlyMap<string, Stamp>;

/** Takes the stamp of every entry of a git dir; links are not followed. Empty where there is nothing. */
export function stampGitDir(gitDir: string): Stamps {
  const stamps = new Map<string, Stamp>();
  const add = (path: string): void => {
    const full = pathBelow(gitDir, path);
    const stats = lstatSync(full, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return;
    stamps.set(path, stampOf(stats));
    if (stats.isDirectory()) for (const name of namesIn(full)) add(path === '' ? name : `${path}/${name}`);
  };
  add('');
  return stamps;
}

export const isFolder = (stamp: Stamp | undefined): boolean => stamp?.startsWith('d') ?? false;
export const isFile = (stamp: Stamp | undefined): boolean => stamp?.startsWith('f') ?? false;

/** Permission bits. */
export function modeOf(stamp: Stamp): number {
  return Number.parseInt(stamp.split(' ')[1] ?? '', 8);
}

/** A folder's own size and times change with every entry that comes or goes, and each entry has its own stamp. */
function stampOf(stats: BigIntStats): Stamp {
  const mode = (stats.mode & 0o7777n).toString(8);
  if (stats.isDirectory()) return `d ${mode} ${stats.ino}`;
  const kind = stats.isFile() ? 'f' : stats.isSymbolicLink() ? 'l' : 's';
  return `${kind} ${mode} ${stats.ino} ${stats.size} ${stats.ctimeNs} ${stats.nlink}`;
}

function namesIn(folder: Buffer): readonly string[] {
  try {
    return readdirSync(folder, { encoding: 'latin1' }).sort();
  } catch (error) {
    // Gone meanwhile, or closed to us: its entries count as gone.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
