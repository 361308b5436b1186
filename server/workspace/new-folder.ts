import { readdirSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { makeFolders } from '../io/make-folders.ts';

/** Makes a folder, or takes one that is empty. Throws `conflict` where it holds something. */
export function newFolder(folder: string): void {
  makeFolders(folder);
  if (readdirSync(folder).length === 0) return;
  throw new DevLoopError('conflict', `${folder} is not empty`, { data: { folder }, hint: 'Choose a new folder.' });
}
