import { join } from 'node:path';
import { type BytePath, fromPathText } from '../domain/byte-path.ts';
import type { Point } from '../domain/point.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { type NotedFile, type WriteBackReport, writeBack } from '../tree/index.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointReader } from './point-reader.ts';
import { holdFor, type Locked } from './workspace-lock.ts';

/**
 * Writes a point's files to a folder as a plan says: whole, or not at all, or at the next start. The workspace's own folder gets the
 * disk's word under the lock, and not before this resolves: a power cut until then is made good at the next start, from the
 * store. Another folder is on the disk when it resolves, since whoever asked for it may move it away.
 */
export async function writePoint(
  workspace: Locked<OpenWorkspace>,
  work: {
    readonly id: string;
    readonly root: string;
    readonly plan: RestorePlan;
    readonly point: Point;
    readonly record?: NotedFile;
  },
): Promise<WriteBackReport> {
  const { point, ...files } = work;
  try {
    const journal = join(workspace.store, 'journal');
    // All that was written is looked at by the next look, whatever is told of it.
    workspace.tree().files.distrust();
    const large = new Set(point.large.map(fromPathText));
    const kept = (_: unknown, path: BytePath): boolean => !large.has(path);
    const soon = files.root === workspace.root ? { kept } : {};
    const done = await writeBack({ ...files, ...soon, journal, modes: 'exact', read: pointReader(workspace, point) });
    holdFor(workspace, done.settled);
    return done;
  } catch (error) {
    throw systemRefusal(error, { doing: `restoring ${work.root}` });
  }
}
