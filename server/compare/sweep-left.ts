import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { removeTree } from '../io/remove-tree.ts';

/** No document is read for so long. */
const STALE_MS = 3_600_000;

/** Removes what killed servers have left in a folder of temporary ones. */
export async function sweepLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      if ((await stat(path)).mtimeMs < Date.now() - STALE_MS) await removeTree(path);
    } catch (error) {
      // Another process has removed it meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}
