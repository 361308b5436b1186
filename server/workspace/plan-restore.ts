import { randomBytes } from 'node:crypto';
import { stampedId } from '../domain/point.ts';
import type { RestoreRecord, RestoreTarget, RestoreView } from '../domain/workspace-restore.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { planNow } from './plan-now.ts';
import { writePlan } from './restore-records.ts';
import { viewOf } from './restore-view.ts';

/**
 * Compares the folder as it is now with a point and says what a restore would do. Nothing is written but a note in the store.
 * @throws DevLoopError point_not_found, post_turn_in_place, point_incomplete, bad_state
 */
export async function planRestoreTo(
  workspace: OpenWorkspace,
  target: RestoreTarget,
  undoes?: string,
): Promise<RestoreView> {
  const planned = await planNow(workspace, target);
  const record: RestoreRecord = {
    schema: 1,
    id: stampedId(workspace.options.now(), randomBytes(3).toString('hex')),
    digest: planned.digest,
    state: 'planned',
    target,
    rows: [...planned.rows],
    folders: [...planned.folders],
    made_at: workspace.options.now().toISOString(),
    ...(undoes !== undefined && { undoes }),
  };
  writePlan(workspace.store, record);
  return viewOf(workspace, record, planned);
}
