import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CallId } from '../domain/ids.ts';
import { IoError } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';

const MOST_RESULT_BYTES = 1_000_000;

/**
 * Makes `agent-state/calls/{call}/` with an empty `out/`: what an interrupted run of the same call left there is no result of this one.
 * @returns its absolute path.
 * @throws IoError path_refused where something on the way is no folder.
 */
export function makeCallFolder(root: string, call: CallId): string {
  let folder = root;
  for (const name of ['agent-state', 'calls', call, 'out']) {
    folder = join(folder, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (name === 'out') rmSync(folder, { recursive: true, force: true });
    else if (stats !== undefined && !stats.isDirectory())
      throw new IoError('path_refused', `${name} in the way to the call's folder is no folder`, { name });
    if (stats === undefined || name === 'out') mkdirSync(folder);
  }
  return join(root, 'agent-state', 'calls', call);
}

/** The text of the call's out/result.json; undefined where there is none that can be read: a link, a pipe or over 1 MB is none. */
export function readResultFile(root: string, call: CallId): string | undefined {
  try {
    return readBelow(root, `agent-state/calls/${call}/out/result.json`, MOST_RESULT_BYTES)?.toString('utf8');
  } catch (error) {
    if (error instanceof IoError) return undefined;
    throw error;
  }
}
