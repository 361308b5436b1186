import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../io/io-error.ts';
import { PendingFile } from './pending-file.ts';

/** Milliseconds between looks at another git's lock. */
const LOOK_MS = 20;

/**
 * Replaces a repository's index under git's own lock. Not synced: an index can be made anew at any time.
 * @param wait_ms how long another git's lock is waited for
 * @returns false where another git still holds the lock: then nothing was written
 */
export async function replaceIndex(
  gitDir: string,
  { bytes, wait_ms }: { readonly bytes: Buffer; readonly wait_ms: number },
): Promise<boolean> {
  const lock = await takeLock(join(gitDir, 'index.lock'), Date.now() + wait_ms);
  if (lock === undefined) return false;
  try {
    lock.write(bytes);
    lock.close();
    lock.publish(join(gitDir, 'index'));
  } finally {
    lock.drop();
  }
  return true;
}

async function takeLock(path: string, deadline: number): Promise<PendingFile | undefined> {
  for (;;) {
    try {
      return new PendingFile(path, 0o666);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      if (Date.now() >= deadline) return undefined;
      await delay(LOOK_MS);
    }
  }
}
