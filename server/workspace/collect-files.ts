import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Point } from '../domain/point.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import type { DiskFolder, Written } from '../tree/index.ts';
import { folderSummary } from './folder-summary.ts';
import { mergeTrees } from './merge-trees.ts';
import type { LargeFile } from './objects/large-objects.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { type PointSink, parsePointer, pointerOf, pointSink } from './point-sink.ts';
import { settleObjects } from './settle-objects.ts';

/** The folder as it is now, on its way into the store. */
export interface Collected extends Written {
  readonly sink: PointSink;
  /** Every large file of it, by the id of what stands for it. */
  readonly largeFiles: ReadonlyMap<Oid, LargeFile>;
}

interface Collecting {
  readonly also?: readonly TreeFolder[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Walks the folder and takes what the store does not have. What the last point or one of `also` holds stays in although an
 * ignore file names it. When it resolves, the store has said of every large file that it is there.
 */
export async function collectFiles(
  workspace: OpenWorkspace,
  last: Point | undefined,
  collecting: Collecting,
): Promise<Collected> {
  const first = await collectOnce(workspace, last, collecting);
  if (first.lost.length === 0) return first;
  // What is known of the folder says that the store has them: they are taken again with all the rest.
  await first.sink.writer.abort();
  workspace.tree().files.forget();
  const again = await collectOnce(workspace, last, collecting);
  const [lost] = again.lost;
  if (lost === undefined) return again;
  await again.sink.writer.abort();
  throw new DevLoopError('store_damaged', `the large file ${lost.sha256} was kept and is not there`, {
    data: { ...lost },
  });
}

async function collectOnce(
  workspace: OpenWorkspace,
  last: Point | undefined,
  { also = [], signal }: Collecting,
): Promise<Collected & { readonly lost: readonly LargeFile[] }> {
  const sink = pointSink(workspace);
  try {
    const tracked = also.reduce(mergeTrees, await trackedBy(workspace, last));
    const written = await workspace
      .tree()
      .files.write({ base: EMPTY_FOLDER, tracked, sink, ...(signal && { signal }) });
    const known = new Map([...knownLarge(last), ...sink.taken]);
    const largeFiles = await allLarge(workspace, written.disk, known);
    return { ...written, sink, largeFiles, lost: await settleObjects(workspace, largeFiles.values(), signal) };
  } catch (error) {
    await sink.writer.abort();
    throw error;
  }
}

/** What counts as tracked: the files of a point. */
export async function trackedBy(workspace: OpenWorkspace, point: Point | undefined): Promise<TreeFolder> {
  if (point === undefined) return EMPTY_FOLDER;
  const { reader } = workspace;
  return workspace
    .tree()
    .files.committed(point.files, async (folder) => parseTree((await reader.read(folder)).content));
}

function knownLarge(last: Point | undefined): ReadonlyMap<Oid, LargeFile> {
  return new Map(
    (last?.large ?? []).map((row) => [hashObject('blob', pointerOf(row)), { sha256: row.sha256, size: row.size }]),
  );
}

/** A large file that was taken for a point which is gone again is known by what stands for it only. */
async function allLarge(
  { reader, largeFileBytes }: OpenWorkspace,
  disk: DiskFolder,
  known: ReadonlyMap<Oid, LargeFile>,
): Promise<ReadonlyMap<Oid, LargeFile>> {
  const all = new Map<Oid, LargeFile>();
  for (const oid of new Set(largeOids(disk, largeFileBytes))) {
    const file = known.get(oid) ?? parsePointer((await reader.read(oid)).content);
    if (file !== undefined) all.set(oid, file);
  }
  return all;
}

function largeOids(folder: DiskFolder, largeFileBytes: number): readonly Oid[] {
  if (folderSummary(folder, largeFileBytes).isPlain) return [];
  return folder.entries.flatMap((entry) => {
    if (entry.kind === 'folder') return largeOids(entry, largeFileBytes);
    return entry.kind === 'file' && entry.size >= largeFileBytes && entry.oid !== undefined ? [entry.oid] : [];
  });
}
