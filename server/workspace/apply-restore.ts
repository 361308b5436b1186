import { DevLoopError } from '../domain/errors.ts';
import { type Point, parsePointId, type RestoreId } from '../domain/point.ts';
import type { RestoreRecord, RestoreReport } from '../domain/workspace-restore.ts';
import { makeFolders } from '../io/make-folders.ts';
import { type MadePlan, makePlan, movedBetween } from './make-plan.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { planNow, restoredPoint } from './plan-now.ts';
import { pointTree } from './point-tree.ts';
import { notedRestore, readRestore, writeRestore } from './restore-records.ts';
import { reportOf } from './restore-report.ts';
import { draftPoint } from './take-point.ts';
import type { Locked } from './workspace-lock.ts';
import { writePoint } from './write-point.ts';

/**
 * Does what a plan said, if the folder is still as the plan saw it: the state before is kept as a point, then the files are
 * written whole or not at all; a killed apply is carried to its end at the next start.
 * @throws DevLoopError plan_stale with what moved, not_found, bad_state
 */
export async function applyRestore(
  workspace: Locked<OpenWorkspace>,
  id: RestoreId,
  digest: string,
): Promise<RestoreReport> {
  const record = readRestore(workspace.store, id);
  if (record.state === 'applied')
    throw new DevLoopError('bad_state', `the restore ${id} was applied already`, { data: { id } });
  if (record.target.into !== undefined) return writeNewFolder(workspace, record, digest);
  const point = await restoredPoint(workspace, record.target);
  const before = await pointTree(workspace, point);
  const reason = `before the restore ${id}`;
  const draft = await draftPoint(workspace, { phase: 'PRE_RESTORE', reason, also: [before] });
  try {
    const made = await makePlan(workspace, record.target, { point, before, now: draft.disk });
    refuseStale(record, digest, made);
    const { files, folders } = made.plan;
    if (files.length + folders.length === 0) return reportOf(record, made, { changed: 0, skipped: [] });
    return await writeOver(workspace, record, { made, point, pre: await draft.keep() });
  } finally {
    await draft.drop();
  }
}

async function writeOver(
  workspace: Locked<OpenWorkspace>,
  record: RestoreRecord,
  { made, point, pre }: { readonly made: MadePlan; readonly point: Point; readonly pre: Point },
): Promise<RestoreReport> {
  // Noted with the steps, so that a restore which a kill interrupts can be undone once it was carried to its end.
  const applied: RestoreRecord = {
    ...record,
    state: 'applied',
    pre: pre.id,
    applied_at: workspace.options.now().toISOString(),
  };
  const work = { id: record.id, root: workspace.root, plan: made.plan, point, record: notedRestore(applied) };
  const done = await writePoint(workspace, work);
  return { ...reportOf(applied, made, done), pre: parsePointId(pre.id) };
}

/** Nothing is overwritten, so there is nothing to keep first; who does not want the folder deletes it. */
async function writeNewFolder(
  workspace: Locked<OpenWorkspace>,
  record: RestoreRecord,
  digest: string,
): Promise<RestoreReport> {
  const planned = await planNow(workspace, record.target);
  refuseStale(record, digest, planned);
  makeFolders(planned.root);
  const done = await writePoint(workspace, { id: record.id, ...planned });
  await writeRestore(workspace.store, {
    ...record,
    state: 'applied',
    applied_at: workspace.options.now().toISOString(),
  });
  return reportOf(record, planned, done);
}

function refuseStale(record: RestoreRecord, digest: string, planned: MadePlan): void {
  if (record.digest === digest && planned.digest === digest) return;
  throw new DevLoopError('plan_stale', 'the folder has changed since the plan was made', {
    data: { id: record.id, moved: movedBetween(record.rows, planned.rows) },
    hint: 'Make a new plan.',
  });
}
