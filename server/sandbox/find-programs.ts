import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { hasCode } from '../io/io-error.ts';

/** Paths of all executables of that name in a PATH, in its order; folders that are not absolute do not count. */
export function findPrograms(name: string, path: string): readonly string[] {
  const folders = path.split(':').filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP')) return false;
    throw error;
  }
}
