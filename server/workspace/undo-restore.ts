import { pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { RestoreId } from '../domain/point.ts';
import type { RestoreReport } from '../domain/workspace-restore.ts';
import { applyRestore } from './apply-restore.ts';
import { movedHint } from './moved-hint.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { planRestoreTo } from './plan-restore.ts';
import { appliedRestores, readRestore } from './restore-records.ts';
import { changedPaths } from './restore-report.ts';
import type { Locked } from './workspace-lock.ts';

/**
 * Takes a restore back: the files that it changed become what they were before it; all others stay. This is a restore too,
 * so it can be undone in turn.
 * @param id the last one that was applied where absent
 * @throws DevLoopError nothing_to_restore, not_found, bad_state
 */
export async function undoRestore(workspace: Locked<OpenWorkspace>, id?: RestoreId): Promise<RestoreReport> {
  const record =
    id === undefined
      ? appliedRestores(workspace.store).find(({ target }) => target.into === undefined)
      : readRestore(workspace.store, id);
  if (record === undefined) {
    const hint = movedHint(workspace);
    throw new DevLoopError('nothing_to_restore', 'no restore was applied here', hint === undefined ? {} : { hint });
  }
  const { pre } = record;
  if (pre === undefined) {
    const why = record.target.into === undefined ? 'was not applied' : 'wrote a new folder, which can be deleted';
    throw new DevLoopError('bad_state', `the restore ${record.id} ${why}`, { data: { id: record.id } });
  }
  const target = { point: pre, exactly: changedPaths(record).map(pathText) };
  const plan = await planRestoreTo(workspace, target, record.id);
  return applyRestore(workspace, plan.id, plan.digest);
}
