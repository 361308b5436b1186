import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { hasCode } from '../../io/io-error.ts';

const EVERY_MS = 1000;
const MOST_ENTRIES = 200_000;
/** Looked at in one go, about a millisecond: a call of the system each costs a third of what it would off the main thread. */
const AT_ONCE = 250;

export interface WriteWatch {
  /** Resolves when the folders were looked at for the first time: what is there by then does not count. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** Tells by how much folders grow on the disk while a program runs, once a second. */
export function watchWrites(folders: readonly string[], wrote: (bytes: number) => void): WriteWatch {
  let highest: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async () => {
    const now = await bytesBelow(folders, () => stopped);
    if (stopped) return;
    if (highest !== undefined && now > highest) wrote(now - highest);
    highest = Math.max(highest ?? 0, now);
    timer = setTimeout(look, EVERY_MS).unref();
  };
  return {
    ready: look(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Blocks on the disk, so that a hole in a file counts as nothing. */
async function bytesBelow(folders: readonly string[], stopped: () => boolean): Promise<number> {
  const waiting = [...folders];
  let bytes = 0;
  for (let seen = 0; waiting.length > 0 && seen < MOST_ENTRIES && !stopped(); seen++) {
    if (seen % AT_ONCE === 0) await turn();
    const path = waiting.pop() ?? '';
    const stats = unlessGone(() => lstatSync(path));
    if (stats?.isDirectory()) {
      const names = unlessGone(() => readdirSync(path)) ?? [];
      waiting.push(...names.filter((name) => name !== '.git').map((name) => join(path, name)));
    }
    bytes += (stats?.blocks ?? 0) * 512;
  }
  return bytes;
}

function unlessGone<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'ENFILE', 'EIO'))
      return undefined;
    throw error;
  }
}
