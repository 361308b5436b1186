import { close, constants, lstatSync, openSync, renameSync } from 'node:fs';
import { hasCode } from './io-error.ts';
import { O_PATH } from './o-path.ts';

/**
 * Gives a file the name of another one, or a new name. With the last hold on a file that has no name any more its space is
 * given back, which takes a file system about as long as all the rest: that is done off the main thread.
 */
export function renameOver(from: string, to: string): void {
  const replaced = process.platform === 'linux' ? hold(to) : undefined;
  try {
    renameSync(from, to);
  } finally {
    // Nothing was written through it, so that closing it has nothing to report.
    if (replaced !== undefined) close(replaced, () => {});
  }
}

/** Undefined where there is nothing to hold; what forbids to look at it is met again by the rename. */
function hold(path: string): number | undefined {
  try {
    // To be told that there is nothing is cheaper than to fail.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return openSync(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EMFILE', 'ENFILE')) return undefined;
    throw error;
  }
}
