import { lstatSync, mkdirSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';

/**
 * Makes sure that a path is a folder and no link to one, and makes it where there is nothing; the folder above must be there.
 * @returns true where it was made. Throws `path_refused`.
 */
export function ensureRealFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return false;
  if (stats !== undefined) {
    throw new DevLoopError('path_refused', `${path} is not a folder: nothing is written through it`, {
      data: { path },
    });
  }
  mkdirSync(path);
  return true;
}

/** Refuses a folder in the place of a file. Throws `path_refused`. */
export function refuseFolder(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new DevLoopError('path_refused', `${path} is a folder in the place of a file`, { data: { path } });
}
