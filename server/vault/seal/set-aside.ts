import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../../io/io-error.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { pathBelow } from '../../io/path-below.ts';
import { removeTree } from '../../io/remove-tree.ts';
import type { OpenVault } from '../open-vault.ts';
import type { Tampering } from './find-tampering.ts';
import { isFile } from './git-dir-stamps.ts';

/** A folder of the server's where what somebody else put into `.git` is moved to, out of git's and the agents' way. */
export interface SetAside {
  /** Absolute path of a folder like `.git/objects` that holds the object files that were moved, and nothing else. */
  readonly objects: string;
  /** Moves entries out of `.git`, whatever they are; those below another one come along with it or before it. */
  move(found: readonly Tampering[]): void;
}

/** Makes a folder for what was found now; of the earlier ones, the latest are kept. */
export async function openSetAside({ state, gitDir, settings }: OpenVault): Promise<SetAside> {
  const all = join(state, 'set-aside');
  makeFolders(all);
  for (const old of readdirSync(all).sort().slice(0, -MOST_KEPT)) await removeTree(join(all, old));
  const folder = join(all, settings.now().toISOString().replace(/[-:.]/g, ''));
  const objects = join(folder, 'objects');
  makeFolders(join(objects, 'pack'));
  return {
    objects,
    move: (found) => {
      // Deepest first, so that an object file is not carried off within its folder.
      for (const { path, is } of found.toSorted((a, b) => (a.path < b.path ? 1 : -1))) {
        if (is === undefined) continue;
        const to = isFile(is) && OBJECT_FILE.test(path) ? path : freeName(folder, `other/${path || '.git'}`);
        moveEntry(pathBelow(gitDir, path), pathBelow(folder, to));
      }
    },
  };
}

const MOST_KEPT = 20;
const OBJECT_FILE = /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.(?:pack|idx))$/;

/** A folder may have been made on the way to something below it that was moved before. */
function freeName(folder: string, path: string): string {
  for (let number = 0; ; number++) {
    const name = number === 0 ? path : `${path}.${number}`;
    if (lstatSync(pathBelow(folder, name), { throwIfNoEntry: false }) === undefined) return name;
  }
}

function moveEntry(from: Buffer, to: Buffer): void {
  try {
    makeFolders(Buffer.from(dirname(to.toString('latin1')), 'latin1'));
    renameSync(from, to);
  } catch (error) {
    // Gone in the meantime, by its own or with a folder above it.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
