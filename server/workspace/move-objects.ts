import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { ObjectTarget, WorkspaceFile } from '../domain/point.ts';
import { inParallel } from '../io/in-parallel.ts';
import { emptyBucket } from './empty-bucket.ts';
import { newPlace, placeText, sameBucket, samePlace } from './object-place.ts';
import type { LargeFile, LargeObjects, ObjectPlace } from './objects/large-objects.ts';
import { openObjects } from './objects/open-objects.ts';
import { objectsOf } from './objects-of.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { listPoints } from './point-store.ts';
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file.ts';
import { type Locked, withLock } from './workspace-lock.ts';

export interface MovedObjects {
  /** Where the large files are kept now. */
  readonly objects: ReturnType<typeof placeText>;
  /** What was sent; the rest was there already. */
  readonly copied: number;
  readonly bytes: number;
  /** Objects that were read back there and are whole. */
  readonly verified: number;
}

const MOST_AT_ONCE = 4;

/**
 * Moves the large files of a workspace to its folder or to the bucket: copied, read back and compared, then used, and only
 * then removed where they were. One that is broken off goes on where it was when it is asked for again. Others wait only
 * while what came meanwhile is moved.
 */
export async function moveObjects(
  workspace: OpenWorkspace,
  target: ObjectTarget,
  signal?: AbortSignal,
): Promise<MovedObjects> {
  const to = await withLock(workspace, (locked) => beginMove(locked, target));
  const move = { to, done: new Set<string>(), copied: 0, bytes: 0 };
  const isThere = () => samePlace(fileOf(workspace).objects, to);
  if (!isThere()) await copyAll(workspace, move, signal);
  await withLock(workspace, async (locked) => {
    if (!isThere()) {
      await copyAll(locked, move, signal);
      useFrom(locked, to);
    }
    await leaveOthers(locked);
  });
  return { objects: placeText(to), copied: move.copied, bytes: move.bytes, verified: move.done.size };
}

interface Move {
  readonly to: ObjectPlace;
  /** What is there and was read back, by sha256. */
  readonly done: Set<string>;
  copied: number;
  bytes: number;
}

/** Notes where the move leads, so that one that is broken off is gone on with, and its copies are found. */
async function beginMove(workspace: Locked<OpenWorkspace>, target: ObjectTarget): Promise<ObjectPlace> {
  const file = fileOf(workspace);
  const wanted = newPlace(target, workspace.options);
  const known = [file.objects, ...(file.elsewhere ?? [])].find((place) => place && sameBucket(place, wanted));
  const to = wanted && (known ?? wanted);
  if (to !== undefined && known === undefined) {
    writeWorkspaceFile(workspace.store, { ...file, elsewhere: [...(file.elsewhere ?? []), to] });
  }
  return to;
}

async function copyAll(workspace: OpenWorkspace, move: Move, signal: AbortSignal | undefined): Promise<void> {
  const { spool, options } = workspace;
  const from = workspace.large();
  const to = openObjects(move.to, spool, options.bucket ?? { region: '' });
  const files = new Map((await listPoints(workspace)).flatMap(objectsOf).map((file) => [file.sha256, file]));
  await inParallel(files.values(), MOST_AT_ONCE, async (file) => {
    signal?.throwIfAborted();
    // Whoever took a point or pruned meanwhile may have removed a copy that nothing relied on yet.
    if (move.done.has(file.sha256) && (await to.sizeOf(file.sha256, signal)) === file.size) return;
    if (await copyOne(file, { from, to, signal })) {
      move.copied++;
      move.bytes += file.size;
    }
    move.done.add(file.sha256);
  });
}

interface Ways {
  readonly from: LargeObjects;
  readonly to: LargeObjects;
  readonly signal: AbortSignal | undefined;
}

/** @returns true where it was sent; false where it was there already. Either way it was read back whole. */
async function copyOne(file: LargeFile, { from, to, signal }: Ways): Promise<boolean> {
  const there = (await to.sizeOf(file.sha256, signal)) === file.size;
  if (there && (await isWhole(file, to, signal))) return false;
  if (there) await to.remove(file.sha256, signal);
  await to.put(file, from.read(file, signal), signal);
  if (await isWhole(file, to, signal)) return true;
  throw lost(file);
}

async function isWhole(file: LargeFile, objects: LargeObjects, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    for await (const _ of objects.read(file, signal)) signal?.throwIfAborted();
    return true;
  } catch (error) {
    if (isDevLoopError(error, 'store_damaged')) return false;
    throw error;
  }
}

function useFrom(workspace: Locked<OpenWorkspace>, to: ObjectPlace): void {
  const { objects: left, elsewhere = [], ...file } = fileOf(workspace);
  const others = [...elsewhere, ...(left === undefined ? [] : [left])].filter((place) => !samePlace(place, to));
  writeWorkspaceFile(workspace.store, {
    ...file,
    ...(to !== undefined && { objects: to }),
    ...(others.length > 0 && { elsewhere: others }),
  });
}

/** Removes the copies that no point relies on. What cannot be reached now stays noted for the next time. */
async function leaveOthers(workspace: Locked<OpenWorkspace>): Promise<void> {
  const { elsewhere = [], ...file } = fileOf(workspace);
  if (file.objects !== undefined) {
    for await (const { sha256 } of workspace.spool.list()) await workspace.spool.remove(sha256);
  }
  for (const place of elsewhere) await emptyBucket(place, workspace.options);
  if (elsewhere.length > 0) writeWorkspaceFile(workspace.store, file);
}

function fileOf({ store, file }: OpenWorkspace): WorkspaceFile {
  return readWorkspaceFile(store) ?? file;
}

function lost({ sha256, size }: LargeFile): DevLoopError {
  return new DevLoopError('store_damaged', `the large file ${sha256} cannot be moved: it is not whole`, {
    data: { sha256, size },
    hint: '`devloop protect verify` names the points that need it. Purge its path, or put it back, and move again.',
  });
}
