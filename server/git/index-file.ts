import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { tryLock } from './lock-file.ts';

/**
 * Replaces a repository's index under git's own lock. Not synced: an index can be made anew at any time.
 * @param wait_ms how long another git's lock is waited for
 * @returns false where another git still holds the lock, or a folder is in the index's place: then nothing was written
 */
export async function replaceIndex(
  gitDir: string,
  { bytes, wait_ms }: { readonly bytes: Buffer; readonly wait_ms: number },
): Promise<boolean> {
  const lock = await tryLock(join(gitDir, 'index.lock'), Date.now() + wait_ms);
  if (lock === undefined) return false;
  try {
    lock.write(bytes);
    lock.close();
    lock.publish(join(gitDir, 'index'));
    return true;
  } catch (error) {
    if (hasCode(error, 'EISDIR')) return false;
    throw error;
  } finally {
    lock.drop();
  }
}
