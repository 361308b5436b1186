import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { type AheadNote, encodeNote } from '../git/ahead/ahead-note.ts';
import { type KeptNote, mayHoldNote, NoteSlot, SLOT_BYTES } from '../git/ahead/note-slot.ts';
import { redoNote } from '../git/ahead/redo-note.ts';
import { removeStaleLocks } from '../git/stale-locks.ts';
import { IoError } from '../io/io-error.ts';
import type { WorkspacePlace } from './workspace-place.ts';

// The note by which a point is told before its files are on the disk. There is one under a store's lock, or after a power cut:
// the lock is given back when it is gone for good.

const pathOf = (store: string): string => join(store, 'ahead.bin');

/** Makes a point's note durable, under the lock. Undefined where there is no room for it. */
export async function keepPointNote(
  { store }: WorkspacePlace,
  point: Pick<AheadNote, 'updates' | 'files'>,
): Promise<KeptNote | undefined> {
  const note: AheadNote = { owner: '', n: 0, ...point };
  const bytes = encodeNote(note);
  if (bytes.length > SLOT_BYTES) return undefined;
  const slot = new NoteSlot(pathOf(store));
  if (lstatSync(slot.path, { throwIfNoEntry: false }) === undefined) await slot.make();
  const kept = await slot.keep(note, bytes);
  own.add(store);
  return {
    ...kept,
    leave: () => {
      own.delete(store);
      kept.leave();
    },
    revoke: async () => {
      await kept.revoke();
      own.delete(store);
    },
  };
}

/** Stores with a point of this process on its way to the disk: it is there for all to see. */
const own = new Set<string>();

/** True where a point is being made by another process, or was when one was killed or the power went. Throws `store_damaged`. */
export const hasPointNote = (store: string): boolean =>
  !own.has(store) && orDamaged(store, () => mayHoldNote(pathOf(store)));

/** Makes the point that a power cut took after it was told. Under the lock, before all else. */
export async function redoPoint({ store }: WorkspacePlace): Promise<void> {
  if (!hasPointNote(store)) return;
  const slot = new NoteSlot(pathOf(store));
  orDamaged(store, () => slot.read());
  if (slot.left !== undefined) {
    const repository = join(store, 'vcs.git');
    await removeStaleLocks(repository);
    await redoNote(repository, slot.left);
  }
  await slot.erase();
}

/** What is no file of ours is not followed, nor removed. */
function orDamaged<Result>(store: string, look: () => Result): Result {
  try {
    return look();
  } catch (cause) {
    if (!(cause instanceof IoError)) throw cause;
    const path = pathOf(store);
    throw new DevLoopError('store_damaged', `${path} cannot be read: ${cause.message}`, {
      data: { path },
      hint: 'Remove it: the next point makes it anew.',
      cause,
    });
  }
}

/** Removes the file with the contents of the newest point, which may be in no point any more; not while it is a note. */
export function dropPointNote(store: string): void {
  if (!own.has(store) && !hasPointNote(store)) rmSync(pathOf(store), { force: true });
}
