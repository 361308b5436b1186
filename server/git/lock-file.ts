import { setTimeout as delay } from 'node:timers/promises';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { PendingFile } from './pending-file.ts';

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** Makes one of git's lock files. @returns undefined where another git holds it until the deadline; ms since 1970 */
export async function tryLock(path: string, deadline: number): Promise<PendingFile | undefined> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return new PendingFile(path, 0o666);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      if (Date.now() >= deadline) return undefined;
      await delay(wait);
    }
  }
}

/** The same, for what cannot go on without. Throws `vault_busy`. */
export async function takeLock(path: string, deadline: number): Promise<PendingFile> {
  const lock = await tryLock(path, deadline);
  if (lock !== undefined) return lock;
  throw new DevLoopError('vault_busy', `another git holds ${path}`, {
    data: { lock: path },
    hint: 'Try again; if no git is running, remove the lock file.',
  });
}
