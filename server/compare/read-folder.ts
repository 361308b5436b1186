import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../io/make-folders.ts';
import { removeTree } from '../io/remove-tree.ts';
import { sweepLeft } from './sweep-left.ts';

/** The folder of one comparison, made when the first document comes: most contents are texts and need none. */
export interface ReadFolder {
  /** Absolute path, without links; always the same. */
  path(): Promise<string>;
  /** Removes it, where it was made. */
  remove(): Promise<void>;
}

/** @param parent absolute path, made where it is absent */
export function readFolder(parent: string): ReadFolder {
  let made: Promise<string> | undefined;
  return {
    path: () => (made ??= makeFolder(parent)),
    remove: async () => {
      if (made !== undefined) await removeTree(await made);
    },
  };
}

async function makeFolder(parent: string): Promise<string> {
  makeFolders(parent, { mode: 0o700 });
  await sweepLeft(parent);
  return realpathSync(mkdtempSync(join(parent, 'read-')));
}
