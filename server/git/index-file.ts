import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isDevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { tryLock } from './lock-file.ts';
import { readGitFile } from './read-git-file.ts';

/** Git's own lock on an index that is to be replaced. */
export interface LockedIndex {
  /** Replaces the index and gives the lock up. Not synced: an index can be made anew at any time. False where a folder is in its place: then nothing was written. */
  replace(bytes: Buffer): boolean;
  /** Gives the lock up; after `replace` this does nothing. */
  drop(): void;
}

/**
 * Takes git's lock on a repository's index.
 * @param wait_ms how long another git's lock is waited for
 * @returns undefined where another git still holds the lock
 */
export async function lockIndex(gitDir: string, wait_ms: number): Promise<LockedIndex | undefined> {
  const lock = await tryLock(join(gitDir, 'index.lock'), Date.now() + wait_ms);
  if (lock === undefined) return undefined;
  return {
    replace(bytes) {
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
    },
    drop: () => lock.drop(),
  };
}

/** True where the index is there as somebody wrote it: it is not synced, and a power cut may leave any part of it. */
export function isIndexWhole(gitDir: string): boolean {
  const bytes = readIndexFile(gitDir);
  if (bytes === undefined || bytes.length < LEAST_BYTES) return false;
  const [content, sum] = [bytes.subarray(0, -SUM_BYTES), bytes.toString('hex', bytes.length - SUM_BYTES)];
  // Git can be told to leave the sum out.
  return sum === NO_SUM ? content.toString('latin1', 0, 4) === 'DIRC' : hash('sha1', content) === sum;
}

const MOST_BYTES = 2 ** 31 - 1;
const SUM_BYTES = 20;
const NO_SUM = '0'.repeat(2 * SUM_BYTES);
/** Of a header and a sum. */
const LEAST_BYTES = 12 + SUM_BYTES;

/** Undefined for what is no file as well. */
function readIndexFile(gitDir: string): Buffer | undefined {
  try {
    return readGitFile(gitDir, 'index', MOST_BYTES);
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged')) return undefined;
    throw error;
  }
}
