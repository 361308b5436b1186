import { ZERO_OID } from '../domain/ids.ts';
import type { Point } from '../domain/point.ts';
import { updateRefs } from '../git/ref-transaction.ts';
import { collectGarbage, type Freed, storeBytes } from './collect-garbage.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointRef } from './point-ref.ts';
import { listPoints } from './point-store.ts';
import { dropOldRestores } from './restore-records.ts';
import type { Locked } from './workspace-lock.ts';

export interface Pruned extends Freed {
  readonly points: readonly string[];
}

/** Drops points beyond what the settings keep, and frees their space. Pinned and named points stay, and the newest. */
export async function prune(workspace: Locked<OpenWorkspace>): Promise<Pruned> {
  const dropped = await dropPoints(workspace);
  const freed = await collectGarbage(workspace);
  const more = await holdToSize(workspace);
  return { ...freed, points: [...dropped, ...more.points], bytes_after: more.bytes_after };
}

/** Drops the points only: quick enough for the end of a turn. */
export async function dropPoints(workspace: Locked<OpenWorkspace>): Promise<readonly string[]> {
  const points = await listPoints(workspace);
  const { max_turns = workspace.options.maxTurns, max_age_days = workspace.options.maxAgeDays } =
    workspace.file.settings;
  const oldest = max_age_days === undefined ? 0 : workspace.options.now().getTime() - max_age_days * DAY_MS;
  const doomed = [...beyondTurns(points, max_turns), ...points.filter(({ ts }) => Date.parse(ts) < oldest)];
  dropOldRestores(workspace.store, workspace.options.now(), max_turns);
  return remove(workspace, points, new Set(doomed));
}

const DAY_MS = 86_400_000;

/** The points of turns, and of restores, that are older than the newest turns. */
function beyondTurns(points: readonly Point[], maxTurns: number): readonly Point[] {
  const turns = points.filter(({ phase }) => phase === 'PRE_TURN');
  const first = turns.at(-maxTurns);
  const restores = points.filter(({ phase }) => phase === 'PRE_RESTORE').slice(0, -maxTurns);
  const beforeFirst = turns.length > maxTurns && first ? points.filter(({ seq }) => seq < first.seq) : [];
  return [...beforeFirst.filter(({ phase }) => phase !== 'MANUAL'), ...restores];
}

/** The points that may be dropped to make room, oldest first. */
export async function loosePoints(workspace: OpenWorkspace): Promise<readonly Point[]> {
  return (await listPoints(workspace)).slice(0, -1).filter((point) => !stays(point));
}

/** Drops points by their ids, where they may be dropped, and frees their space. */
export async function pruneThese(workspace: Locked<OpenWorkspace>, ids: ReadonlySet<string>): Promise<Pruned> {
  const points = await listPoints(workspace);
  const dropped = await remove(workspace, points, new Set(points.filter(({ id }) => ids.has(id))));
  return { ...(await collectGarbage(workspace)), points: dropped };
}

async function holdToSize(workspace: Locked<OpenWorkspace>): Promise<Pruned> {
  const limit = workspace.file.settings.max_bytes ?? Number.POSITIVE_INFINITY;
  const removed: string[] = [];
  let freed: Freed = { bytes_before: storeBytes(workspace), bytes_after: storeBytes(workspace) };
  while (freed.bytes_after > limit) {
    const loose = await loosePoints(workspace);
    const oldest = loose.slice(0, Math.ceil(loose.length / 4)).map(({ id }) => id);
    if (oldest.length === 0) break;
    const { points, ...more } = await pruneThese(workspace, new Set(oldest));
    removed.push(...points);
    freed = more;
  }
  return { ...freed, points: removed };
}

async function remove(
  workspace: Locked<OpenWorkspace>,
  points: readonly Point[],
  doomed: ReadonlySet<Point>,
): Promise<readonly string[]> {
  const newest = points.at(-1);
  const gone = points.filter((point) => doomed.has(point) && point !== newest && !stays(point));
  if (gone.length === 0) return [];
  const updates = gone.map(({ id, commit }) => ({ ref: pointRef(id), old: commit, new: ZERO_OID }));
  await updateRefs({ gitDir: workspace.repository, updates });
  workspace.points.cache.keepOnly(points.filter((point) => !gone.includes(point)));
  return gone.map(({ id }) => id);
}

const stays = ({ pinned, name }: Point): boolean => pinned || name !== undefined;
