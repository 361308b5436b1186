import { objectsOf } from './objects-of.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { listPoints } from './point-store.ts';
import type { Locked } from './workspace-lock.ts';

export interface ObjectGarbage {
  /** Objects that no point needs, and that are removed now. */
  readonly removed: number;
  readonly bytes: number;
  /** Such that are too young to be removed. */
  readonly waiting: number;
}

/** How old an object in a bucket must be; ms. Longer than an upload, a delayed listing or a store put back from a backup takes. */
const GRACE_MS = 24 * 3_600_000;

/**
 * Removes the large files that no point needs. From a folder at once, since the lock is held; from a bucket those of an age
 * only, and the `dropped` ones.
 * @returns what was found in the bucket; undefined where the large files are in the folder
 */
export async function collectObjects(
  workspace: Locked<OpenWorkspace>,
  dropped: ReadonlySet<string>,
): Promise<ObjectGarbage | undefined> {
  const { spool, options } = workspace;
  const objects = workspace.large();
  const needed = new Map((await listPoints(workspace)).flatMap(objectsOf).map((file) => [file.sha256, file]));
  await spool.sweep();
  for await (const { sha256 } of spool.list()) {
    const file = needed.get(sha256);
    if (file !== undefined && objects === spool) continue;
    // Left by a process that was killed: the bucket should have it already.
    if (file !== undefined) await objects.put(file, spool.read(file));
    await spool.remove(sha256);
  }
  if (objects === spool) return undefined;
  const grace = options.bucket?.grace_ms ?? GRACE_MS;
  await objects.sweep(grace);
  const found = { removed: 0, bytes: 0, waiting: 0 };
  for await (const { sha256, size, age_ms } of objects.list()) {
    if (needed.has(sha256)) continue;
    if (age_ms < grace && !dropped.has(sha256)) {
      found.waiting++;
      continue;
    }
    await objects.remove(sha256);
    found.removed++;
    found.bytes += size;
  }
  return found;
}
