import type { BytePath } from '../domain/byte-path.ts';
import { openObjectWriter } from '../git/objects/object-writer.ts';
import { updateRefs } from '../git/ref-transaction.ts';
import { collectGarbage } from './collect-garbage.ts';
import { objectsOf } from './objects-of.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointRef } from './point-ref.ts';
import { listPoints } from './point-store.ts';
import { pointWithout } from './point-without.ts';
import type { Locked } from './workspace-lock.ts';

export interface Purged {
  /** The points that held the path; each has a new commit. */
  readonly points: readonly string[];
}

/**
 * Takes a path, with all below it, out of every point, and its content out of the store. The folder itself is not touched.
 * After a kill in its midst some points hold the path still: it is said again then.
 */
export async function purge(workspace: Locked<OpenWorkspace>, path: BytePath): Promise<Purged> {
  const writer = openObjectWriter(workspace.objects, { durable: true });
  try {
    const updates = [];
    const dropped = new Set<string>();
    for (const point of await listPoints(workspace)) {
      const commit = await pointWithout(workspace, writer, { point, path });
      if (commit === undefined) continue;
      updates.push({ id: point.id, ref: pointRef(point.id), old: point.commit, new: commit });
      for (const { sha256 } of objectsOf(point)) dropped.add(sha256);
    }
    if (updates.length === 0) return { points: [] };
    await writer.finish();
    await updateRefs({ gitDir: workspace.repository, updates });
    workspace.tree().files.forget();
    await collectGarbage(workspace, dropped);
    return { points: updates.map(({ id }) => id) };
  } finally {
    await writer.abort();
  }
}
