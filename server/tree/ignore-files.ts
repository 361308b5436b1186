import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type BytePath, joinPath } from '../domain/byte-path.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { type IgnoreList, parseIgnoreList } from './ignore-list.ts';

/** A folder's own ignore file. */
export interface IgnoreFile {
  /** Changes with its content. */
  readonly version: string;
  readonly list: IgnoreList;
}

export const IGNORE_FILE = '.gitignore';
/** Bytes; a larger file is no list that a person wrote, and does not count. */
const MOST_BYTES = 1 << 20;

/** Reads and keeps the ignore files of a tree. As in git, a link in place of one does not count. */
export class IgnoreFiles {
  readonly #root: string;
  readonly #known = new Map<BytePath, IgnoreFile>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Undefined where the folder has none that counts. */
  read(folder: BytePath): IgnoreFile | undefined {
    const path = joinPath(folder, IGNORE_FILE);
    const content = readSmall(diskPath(this.#root, path));
    if (content === undefined) return undefined;
    const version = hash('sha1', content);
    const known = this.#known.get(folder);
    if (known?.version === version) return known;
    const fresh = { version, list: parseIgnoreList(content.toString('latin1'), path) };
    this.#known.set(folder, fresh);
    return fresh;
  }
}

function readSmall(path: string | Buffer): Buffer | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EACCES', 'EPERM', 'ENOTDIR', 'ENXIO')) return undefined;
    throw error;
  }
}
