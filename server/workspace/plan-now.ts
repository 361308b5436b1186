import { type Point, parsePointId } from '../domain/point.ts';
import type { RestoreTarget } from '../domain/workspace-restore.ts';
import { trackedBy } from './collect-files.ts';
import { makePlan, type PlannedRestore, refusePoint } from './make-plan.ts';
import { mergeTrees } from './merge-trees.ts';
import { nestedRows } from './nested-rows.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { planNew } from './plan-new.ts';
import { hashSink } from './point-sink.ts';
import { findPoint, listPoints } from './point-store.ts';
import { pointTree } from './point-tree.ts';

/** Looks at the folder that is to be written and makes the plan, without a note. */
export async function planNow(workspace: OpenWorkspace, target: RestoreTarget): Promise<PlannedRestore> {
  if (target.into !== undefined) return planNew(workspace, target, target.into);
  const point = await restoredPoint(workspace, target);
  const before = await pointTree(workspace, point);
  const last = (await listPoints(workspace)).at(-1);
  const tracked = mergeTrees(await trackedBy(workspace, last), before);
  const look = await workspace.tree().files.look({ tracked, hasher: hashSink(workspace) });
  const made = await makePlan(workspace, target, { point, before, now: look.disk });
  const nested = nestedRows(workspace, look.disk, look.nested);
  return { ...made, root: workspace.root, point, before, now: look.disk, nested };
}

/** The point that is restored in place. Throws point_not_found, post_turn_in_place, point_incomplete. */
export async function restoredPoint(workspace: OpenWorkspace, target: RestoreTarget): Promise<Point> {
  const point = await findPoint(workspace, parsePointId(target.point));
  // Exact paths are those that a restore changed: they go back whatever else the point lacks.
  if (target.exactly === undefined) refusePoint(point);
  return point;
}
