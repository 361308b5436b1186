import { join } from 'node:path';
import type { Point } from '../domain/point.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { type WriteBackReport, writeBack } from '../tree/index.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointReader } from './point-reader.ts';

/** Writes a point's files to a folder as a plan says: whole, or not at all, or at the next start. */
export async function writePoint(
  workspace: OpenWorkspace,
  work: {
    readonly id: string;
    readonly root: string;
    readonly plan: RestorePlan;
    readonly point: Point;
    readonly beside?: () => Promise<void>;
  },
): Promise<WriteBackReport> {
  const { point, ...files } = work;
  try {
    const journal = join(workspace.store, 'journal');
    // All that was written is looked at by the next look, whatever is told of it.
    workspace.tree().files.distrust();
    return await writeBack({ ...files, journal, modes: 'exact', read: pointReader(workspace, point) });
  } catch (error) {
    throw systemRefusal(error, { doing: `restoring ${work.root}` });
  }
}
