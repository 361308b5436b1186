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

/**
 * @param parent absolute path, made where it is absent
 * @param inSlot waits until one more may be there, which is until it is removed
 */
export function readFolder(
  parent: string,
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>,
): ReadFolder {
  let made: Promise<string> | undefined;
  let free = (): void => {};
  const make = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const held = inSlot(async () => {
        resolve(await makeFolder(parent));
        await new Promise<void>((end) => {
          free = end;
        });
      });
      held.catch(reject);
    });
  return {
    path: () => (made ??= make()),
    remove: async () => {
      if (made === undefined) return;
      try {
        await removeTree(await made);
      } finally {
        free();
      }
    },
  };
}

async function makeFolder(parent: string): Promise<string> {
  makeFolders(parent, { mode: 0o700 });
  await sweepLeft(parent);
  return realpathSync(mkdtempSync(join(parent, 'read-')));
}
