import { DevLoopError } from '../domain/errors.ts';
import type { Point } from '../domain/point.ts';
import { fsck } from '../git/fsck.ts';
import { listRefs } from '../git/refs.ts';
import { lostObjects } from './lost-objects.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { POINT_REFS } from './point-ref.ts';
import { readPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';
import { settlePoints } from './workspace-lock.ts';

export interface StoreCheck {
  readonly points: number;
  /** One line each; none where all is whole. */
  readonly problems: readonly string[];
}

/** Checks every object of the store, and that every point can be restored. Reads everything. */
export async function verifyStore(workspace: OpenWorkspace, signal?: AbortSignal): Promise<StoreCheck> {
  await settlePoints(workspace);
  const refs = listRefs(workspace.repository, POINT_REFS);
  const problems = [...(await fsck(workspace.repository, [...refs.values()], signal))];
  const points: Point[] = [];
  for (const [ref, commit] of refs) {
    try {
      const point = await readPoint(workspace, commit);
      await pointTree(workspace, point);
      if (`${POINT_REFS}${point.id}` !== ref) problems.push(`${ref} holds the point ${point.id}`);
      points.push(point);
    } catch (error) {
      if (!(error instanceof DevLoopError)) throw error;
      problems.push(`${ref}: ${error.message}`);
    }
  }
  return { points: refs.size, problems: [...problems, ...(await lostObjects(workspace, points, signal))] };
}
