import type { TreeFolder } from '../domain/file-tree.ts';
import { type Point, parsePointId } from '../domain/point.ts';
import type { SeenFolder } from '../domain/restore-plan.ts';
import type { RestoreTarget } from '../domain/workspace-restore.ts';
import type { Look } from '../tree/index.ts';
import { trackedBy } from './collect-files.ts';
import { type MadePlan, makePlan, refusePoint } from './make-plan.ts';
import { mergeTrees } from './merge-trees.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { hashSink } from './point-sink.ts';
import { findPoint, listPoints } from './point-store.ts';
import { pointTree } from './point-tree.ts';

export interface PlannedRestore extends MadePlan {
  readonly point: Point;
  readonly before: TreeFolder;
  readonly now: SeenFolder;
  readonly look: Look;
}

/** Looks at the folder and makes the plan, without a note. */
export async function planNow(workspace: OpenWorkspace, target: RestoreTarget): Promise<PlannedRestore> {
  const point = await findPoint(workspace, parsePointId(target.point));
  // Exact paths are those that a restore changed: they go back whatever else the point lacks.
  if (target.exactly === undefined) refusePoint(point);
  const before = await pointTree(workspace, point);
  const last = (await listPoints(workspace)).at(-1);
  const tracked = mergeTrees(await trackedBy(workspace, last), before);
  const look = await workspace.tree().files.look({ tracked, hasher: hashSink(workspace) });
  const made = await makePlan(workspace, target, { point, before, now: look.disk });
  return { ...made, point, before, now: look.disk, look };
}
