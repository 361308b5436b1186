import { EMPTY_TREE, type TreeFolder } from '../domain/file-tree.ts';
import type { Phase, Point, PointAbout } from '../domain/point.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { type Collected, collectFiles } from './collect-files.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { manifestOf } from './point-manifest.ts';
import { listPoints, notePoint } from './point-store.ts';
import { publishPoint } from './publish-point.ts';
import type { Locked } from './workspace-lock.ts';

export interface PointRequest extends PointAbout {
  readonly phase: Phase;
  readonly turn?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What these hold is taken although an ignore file names it. */
  readonly also?: readonly TreeFolder[] | undefined;
}

export interface TakenPoint extends Collected {
  readonly point: Point;
}

/**
 * Keeps the folder as it is now as a point: whole and durable when it resolves; where anything fails there is none.
 * @throws DevLoopError disk_full, permission_denied, not_found (the folder is gone)
 */
export async function takePoint(workspace: Locked<OpenWorkspace>, request: PointRequest): Promise<TakenPoint> {
  try {
    const last = (await listPoints(workspace)).at(-1);
    const collected = await collectFiles(workspace, last, request);
    try {
      const manifest = manifestOf(workspace, { request, collected, last });
      const files = collected.tree.oid ?? EMPTY_TREE;
      const commit = await publishPoint(workspace.repository, collected.sink.writer, { files, manifest });
      const point: Point = { ...manifest, commit, files };
      notePoint(workspace, point);
      return { ...collected, point };
    } finally {
      await collected.sink.writer.abort();
    }
  } catch (error) {
    throw systemRefusal(error, { doing: `taking a point of ${workspace.root}` });
  }
}
