import { lstatSync } from 'node:fs';
import { redoNote } from '../git/ahead/redo-note.ts';
import { removeStaleLocks } from '../git/stale-locks.ts';
import type { LockedVault } from './open-vault.ts';
import { parseMoveLine } from './refs-record.ts';

/**
 * Brings to pass the last move of refs where it was durable by its note only when the server ended, or the disk refused the rest.
 * @returns the refs of it
 */
export async function redoLeft(vault: LockedVault): Promise<readonly string[]> {
  const { ahead, refs, gitDir, objects } = vault;
  const left = ahead?.left;
  if (ahead === undefined || left === undefined) return [];
  // A repository that is gone is made anew first.
  if (!lstatSync(objects.dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const { n, updates, record } = left;
  const stands = await refs.takeAgain(parseMoveLine({ ...Object(record), n, updates }));
  if (stands) {
    await removeStaleLocks(gitDir);
    await redoNote(gitDir, left);
    objects.refresh();
    // Its git may have a pack open that was not whole.
    vault.reader.close();
    refs.confirm();
    refs.tell();
  }
  ahead.forgetLeft();
  return stands ? updates.map(({ ref }) => ref) : [];
}
