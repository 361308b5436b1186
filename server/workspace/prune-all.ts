import type { WorkspaceId } from '../domain/point.ts';
import type { Workspace } from './workspace.ts';

export interface PrunedAll {
  /** Those that lost points. */
  readonly items: readonly { readonly workspace: WorkspaceId; readonly points: readonly string[] }[];
  /** Of all histories together, on this disk. */
  readonly bytes_before: number;
  readonly bytes_after: number;
}

export interface EveryWorkspace {
  readonly ids: readonly WorkspaceId[];
  /** Lends one for a piece of work. */
  readonly use: <Result>(id: WorkspaceId, work: (workspace: Workspace) => Promise<Result>) => Promise<Result>;
  /** What all may have together; bytes. */
  readonly maxTotalBytes: number | undefined;
}

/**
 * Prunes every history by its settings. Where all together have too much, the oldest points go, of whichever folder, until they
 * have not; those with a name or a pin stay, and the newest of each.
 */
export async function pruneAll(every: EveryWorkspace): Promise<PrunedAll> {
  const { ids, use, maxTotalBytes = Number.POSITIVE_INFINITY } = every;
  const bytes_before = await bytesOf(every);
  const dropped = new Map<WorkspaceId, string[]>();
  const note = (id: WorkspaceId, points: readonly string[]) => dropped.set(id, [...(dropped.get(id) ?? []), ...points]);
  for (const id of ids) note(id, (await use(id, (workspace) => workspace.prune())).points);
  let bytes_after = await bytesOf(every);
  for (let progress = true; progress && bytes_after > maxTotalBytes; bytes_after = await bytesOf(every)) {
    progress = false;
    for (const [id, wanted] of await oldestPoints(every)) {
      const { points } = await use(id, (workspace) => workspace.pruneThese(wanted));
      note(id, points);
      progress ||= points.length > 0;
    }
  }
  const items = [...dropped].filter(([, points]) => points.length > 0);
  return { items: items.map(([workspace, points]) => ({ workspace, points })), bytes_before, bytes_after };
}

async function bytesOf({ ids, use }: EveryWorkspace): Promise<number> {
  let bytes = 0;
  for (const id of ids) bytes += await use(id, async (workspace) => workspace.bytes());
  return bytes;
}

/** A quarter of what may go: each round frees the disk, which takes a while. */
async function oldestPoints({ ids, use }: EveryWorkspace): Promise<ReadonlyMap<WorkspaceId, Set<string>>> {
  const loose: { readonly id: WorkspaceId; readonly point: string; readonly ts: string }[] = [];
  for (const id of ids) {
    const points = await use(id, (workspace) => workspace.loosePoints());
    loose.push(...points.map((one) => ({ id, point: one.id, ts: one.ts })));
  }
  const oldest = loose.sort((a, b) => (a.ts < b.ts ? -1 : 1)).slice(0, Math.ceil(loose.length / 4));
  const byWorkspace = Map.groupBy(oldest, ({ id }) => id);
  return new Map([...byWorkspace].map(([id, points]) => [id, new Set(points.map(({ point }) => point))]));
}
