import { realpathSync, statSync } from 'node:fs';
import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';

const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Joins a folder's absolute path and a path in bytes into what `node:fs` takes: text where all is ASCII, else bytes.
 * @param root text as Node knows it
 */
export function diskPath(root: string, path: BytePath | string): string | Buffer {
  if (path === '') return root;
  if (!NOT_ASCII.test(path)) return `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** A folder's path without links in it. Throws `not_found`. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
    throw new DevLoopError('not_found', `the folder ${path} is not there`, { data: { path }, cause: error });
  }
}

/** True where a folder is there, or a link to one. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
