import { lstatSync, mkdirSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';

/**
 * Makes sure that a path is a folder and no link to one, and makes it where there is nothing; the folder above must be there.
 * Others may make it at the same time.
 * @returns true where it was made here. Throws `path_refused`.
 */
export function ensureRealFolder(path: string): boolean {
  if (isRealFolder(path)) return false;
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (isRealFolder(path)) return false;
    throw new DevLoopError('path_refused', `${path} is not a folder: nothing is written through it`, {
      data: { path },
    });
  }
}

const isRealFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Refuses a folder in the place of a file. Throws `path_refused`. */
export function refuseFolder(path: string): void {
  if (!isRealFolder(path)) return;
  throw new DevLoopError('path_refused', `${path} is a folder in the place of a file`, { data: { path } });
}
