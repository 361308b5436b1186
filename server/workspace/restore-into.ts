import { readdirSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER } from '../domain/file-tree.ts';
import { type PointId, stampedId } from '../domain/point.ts';
import { planRestore } from '../domain/restore-plan.ts';
import { makeFolders } from '../io/make-folders.ts';
import type { WriteBackReport } from '../tree/index.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { findPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';
import type { Locked } from './workspace-lock.ts';
import { writePoint } from './write-point.ts';

/**
 * Writes a point's files into a new or empty folder: whole or, after a kill, at the next start. The folder above must be there.
 * @param folder absolute path
 * @throws DevLoopError conflict where the folder holds something, point_not_found
 */
export async function restoreInto(
  workspace: Locked<OpenWorkspace>,
  id: PointId,
  folder: string,
): Promise<WriteBackReport> {
  const point = await findPoint(workspace, id);
  const target = await pointTree(workspace, point);
  makeFolders(folder);
  if (readdirSync(folder).length > 0) {
    throw new DevLoopError('conflict', `${folder} is not empty`, { data: { folder }, hint: 'Choose a new folder.' });
  }
  const plan = planRestore({ ...EMPTY_FOLDER, entries: [], left: [] }, target, { modes: 'exact' });
  return writePoint(workspace, { id: stampedId(workspace.options.now(), '000000'), root: folder, plan, point });
}
