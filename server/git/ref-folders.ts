import { rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { ensureRealFolder } from './real-folder.ts';

/** Makes the folders above a ref's file. @returns all folders whose names change when the file comes, absolute */
export function makeRefFolders(gitDir: string, ref: string): readonly string[] {
  const changed: string[] = [];
  let folder = gitDir;
  for (const name of dirname(ref).split('/')) {
    const above = folder;
    folder = join(folder, name);
    if (ensureRealFolder(folder)) changed.push(above);
  }
  return [...changed, folder];
}

/** Removes the folders that a ref's deletion has emptied: they could stand in the way of a ref with their name. */
export function pruneRefFolders(gitDir: string, ref: string): void {
  for (let folder = dirname(ref); folder.split('/').length > 2; folder = dirname(folder)) {
    try {
      rmdirSync(join(gitDir, folder));
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return;
      throw error;
    }
  }
}
