import type { PointId, RestoreId } from '../domain/point.ts';
import type { RestoreReport, RestoreTarget, RestoreView } from '../domain/workspace-restore.ts';
import { applyRestore } from './apply-restore.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { planRestoreTo } from './plan-restore.ts';
import { appliedRestores, readRestore } from './restore-records.ts';
import { turnAt } from './turns.ts';
import { undoRestore } from './undo-restore.ts';
import { withLock } from './workspace-lock.ts';

/** How the folder goes back to a point, and forth. */
export function workspaceRestores(workspace: OpenWorkspace) {
  const plan = (target: RestoreTarget): Promise<RestoreView> =>
    withLock(workspace, () => planRestoreTo(workspace, target));
  const apply = (id: RestoreId, digest: string): Promise<RestoreReport> =>
    withLock(workspace, (locked) => applyRestore(locked, id, digest));
  return {
    /** What a restore would do; apply it by its id and digest. */
    planRestore: plan,
    applyRestore: apply,
    /** The last one that was applied where no id is given. */
    undoRestore: (id?: RestoreId) => withLock(workspace, (locked) => undoRestore(locked, id)),
    /** Newest first. */
    restores: () => appliedRestores(workspace.store),
    restore: (id: RestoreId) => readRestore(workspace.store, id),
    /** Plans the way back to before a turn: 0 is the newest. */
    planPreTurn: async (offset: number, options: Omit<RestoreTarget, 'point'> = {}) =>
      plan({ ...options, point: (await turnAt(workspace, offset)).pre.id }),
    /** Writes a point, or some paths of it, as a new folder. */
    restoreInto: (point: PointId, into: string, only?: RestoreTarget['only']): Promise<RestoreReport> =>
      withLock(workspace, async (locked) => {
        const { id, digest } = await planRestoreTo(locked, { point, into, ...(only !== undefined && { only }) });
        return applyRestore(locked, id, digest);
      }),
  };
}
