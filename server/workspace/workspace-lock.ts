import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DevLoopError } from '../domain/errors.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hasCode, IoError } from '../io/io-error.ts';
import { KeyedMutex } from '../io/keyed-mutex.ts';
import { type OwnerLock, takeOwnerLock } from '../io/owner-lock.ts';
import { hasNotes } from '../tree/index.ts';
import { finishRestores } from './finish-restores.ts';
import { hasPointNote, redoPoint } from './point-note.ts';
import type { WorkspacePlace } from './workspace-place.ts';

/** How long a caller waits for another process that writes to the same workspace; ms. */
const WAIT_MS = 30_000;
const POLL_MS = 20;

const queue = new KeyedMutex({ timeout_ms: 600_000, onTimeout: (store) => busy(store, {}) });

declare const locked: unique symbol;
/** Proves that the workspace's lock is held. */
export type Locked<Place> = Place & { readonly [locked]: true };

/**
 * Does work that writes, one at a time among all processes. What a killed process began to write back, or a power cut undid, is
 * carried to its end first. Throws `busy`, and `disk_full`, `read_only` or `permission_denied` where the system refuses what it takes.
 */
export function withLock<Place extends WorkspacePlace, Result>(
  place: Place,
  work: (place: Locked<Place>) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const done = queue.run(place.store, () => workLocked(place as Locked<Place>, work, resolve));
    done.then(resolve, (error: unknown) =>
      reject(systemRefusal(error, { doing: `working on the points of ${place.root}` })),
    );
  });
}

/** Before a look that takes no lock: carries to its end what a killed process began to write back, and waits for one that is at it. */
export async function settleRestores(place: WorkspacePlace): Promise<void> {
  if (hasNotes(join(place.store, 'journal'))) await withLock(place, async () => {});
}

/** Before points are looked at without the lock: has one told that a power cut took, and waits for one that is being made. */
export async function settlePoints(place: WorkspacePlace): Promise<void> {
  if (hasPointNote(place.store)) await withLock(place, async () => {});
}

/** What goes on under a store's lock when the work is done. */
const lasting = new Map<string, readonly Promise<unknown>[]>();

/** Has the lock held until something has ended, one way or the other. Who waits for the work itself does not wait for that. */
export function holdFor({ store }: Locked<WorkspacePlace>, end: Promise<unknown>): void {
  end.catch(() => undefined);
  lasting.set(store, [...(lasting.get(store) ?? []), end]);
}

/** Resolves when all work of this process that was asked for so far is done. */
export function drain({ store }: WorkspacePlace): Promise<void> {
  return queue.run(store, () => {});
}

async function workLocked<Place extends WorkspacePlace, Result>(
  place: Locked<Place>,
  work: (place: Locked<Place>) => Promise<Result>,
  tell: (result: Result) => void,
): Promise<Result> {
  const lock = await take(place.store);
  try {
    // First: a restore may need what the point holds.
    await redoPoint(place);
    await finishRestores(place);
    const result = await work(place);
    if (lasting.has(place.store)) tell(result);
    return result;
  } finally {
    await Promise.allSettled(lasting.get(place.store) ?? []);
    lasting.delete(place.store);
    lock.release();
  }
}

async function take(store: string): Promise<OwnerLock> {
  const path = join(store, 'lock');
  const end = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return takeOwnerLock(path, { onLost: () => {} });
    } catch (error) {
      if (!hasCode(error, 'owned') || !(error instanceof IoError)) throw error;
      if (performance.now() > end) throw busy(store, error.data);
    }
    await delay(POLL_MS);
  }
}

function busy(store: string, owner: Readonly<Record<string, unknown>>): DevLoopError {
  return new DevLoopError('busy', 'another process works on this workspace', {
    data: { store, ...owner },
    hint: 'Try again when it is done.',
  });
}
