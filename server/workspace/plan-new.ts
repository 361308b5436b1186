import { EMPTY_FOLDER } from '../domain/file-tree.ts';
import { parsePointId } from '../domain/point.ts';
import type { SeenFolder } from '../domain/restore-plan.ts';
import type { RestoreTarget } from '../domain/workspace-restore.ts';
import { type PlannedRestore, planOf } from './make-plan.ts';
import { newFolder } from './new-folder.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { findPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';

const NOTHING: SeenFolder = { ...EMPTY_FOLDER, entries: [], left: [] };

/** Plans to write a point as a new folder: any point, also one after a turn or one that is not complete. */
export async function planNew(workspace: OpenWorkspace, target: RestoreTarget, into: string): Promise<PlannedRestore> {
  const point = await findPoint(workspace, parsePointId(target.point));
  const root = newFolder(into, workspace.options);
  const before = await pointTree(workspace, point);
  const made = planOf(target, { before, now: NOTHING });
  return { ...made, root, point, before, now: NOTHING, nested: [] };
}
