import type { BytePath } from '../domain/byte-path.ts';
import { EMPTY_TREE, type TreeFolder } from '../domain/file-tree.ts';
import type { Phase, Point, PointAbout } from '../domain/point.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import type { DiskFolder } from '../tree/index.ts';
import { type Collected, collectFiles } from './collect-files.ts';
import { saveHistories } from './histories/save-histories.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { manifestOf } from './point-manifest.ts';
import { listPoints } from './point-store.ts';
import { publishPoint } from './publish-point.ts';
import type { Locked } from './workspace-lock.ts';

export interface PointRequest extends PointAbout {
  readonly phase: Phase;
  readonly turn?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What these hold is taken although an ignore file names it. */
  readonly also?: readonly TreeFolder[] | undefined;
}

/** The folder as it is now, on its way to become a point. */
export interface PointDraft {
  readonly disk: DiskFolder;
  /** Makes it a point: whole and durable when it resolves; where anything fails there is none. */
  keep(): Promise<Point>;
  /** Gives up what was not kept. */
  drop(): Promise<void>;
}

/**
 * Keeps the folder as it is now as a point: whole and durable when it resolves; where anything fails there is none.
 * @throws DevLoopError disk_full, permission_denied, not_found (the folder is gone)
 */
export async function takePoint(workspace: Locked<OpenWorkspace>, request: PointRequest): Promise<Point> {
  const draft = await draftPoint(workspace, request);
  try {
    return await draft.keep();
  } finally {
    await draft.drop();
  }
}

/** Collects what a point would hold. Throws as `takePoint`. */
export async function draftPoint(workspace: Locked<OpenWorkspace>, request: PointRequest): Promise<PointDraft> {
  return orRefusal(workspace, async () => {
    const last = (await listPoints(workspace)).at(-1);
    const collected = await collectFiles(workspace, last, request);
    return {
      disk: collected.disk,
      keep: () => orRefusal(workspace, () => keepPoint(workspace, request, { collected, last })),
      drop: () => collected.sink.writer.abort(),
    };
  });
}

async function keepPoint(
  workspace: Locked<OpenWorkspace>,
  request: PointRequest,
  { collected, last }: { readonly collected: Collected; readonly last: Point | undefined },
): Promise<Point> {
  const paths = ['' as BytePath, ...collected.nested];
  const histories = await saveHistories(workspace, paths, { last, signal: request.signal });
  const manifest = manifestOf(workspace, { request, collected, last, histories });
  const files = collected.tree.oid ?? EMPTY_TREE;
  const commit = await publishPoint(workspace, collected.sink.writer, { files, manifest });
  const point: Point = { ...manifest, commit, files };
  workspace.points.cache.note([point]);
  return point;
}

async function orRefusal<Result>({ root }: OpenWorkspace, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw systemRefusal(error, { doing: `taking a point of ${root}` });
  }
}
