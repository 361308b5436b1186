import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Point } from '../domain/point.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import type { DiskFolder, Written } from '../tree/index.ts';
import { mergeTrees } from './merge-trees.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { type LargeFile, type PointSink, parsePointer, pointerOf, pointSink } from './point-sink.ts';

/** The folder as it is now, on its way into the store. */
export interface Collected extends Written {
  readonly sink: PointSink;
  /** Every large file of it, by the id of what stands for it. */
  readonly largeFiles: ReadonlyMap<Oid, LargeFile>;
}

/**
 * Walks the folder and takes what the store does not have. What the last point or one of `also` holds stays in although an
 * ignore file names it.
 */
export async function collectFiles(
  workspace: OpenWorkspace,
  last: Point | undefined,
  {
    also = [],
    signal,
  }: { readonly also?: readonly TreeFolder[] | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Collected> {
  const known = knownLarge(last);
  const lost = [...known.values()].some(({ sha256, size }) => workspace.large.sizeOf(sha256) !== size);
  // What is known of the folder says that the store has them: they are taken again with all the rest.
  if (lost) workspace.tree().files.forget();
  const sink = pointSink(workspace);
  try {
    const tracked = also.reduce(mergeTrees, await trackedBy(workspace, last));
    const written = await workspace
      .tree()
      .files.write({ base: EMPTY_FOLDER, tracked, sink, ...(signal && { signal }) });
    const largeFiles = await allLarge(workspace, written.disk, new Map([...known, ...sink.taken]));
    return { ...written, sink, largeFiles };
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
  const all = new Map(known);
  for (const oid of largeOids(disk, largeFileBytes)) {
    if (all.has(oid)) continue;
    const file = parsePointer((await reader.read(oid)).content);
    if (file !== undefined) all.set(oid, file);
  }
  return all;
}

function largeOids(folder: DiskFolder, largeFileBytes: number): readonly Oid[] {
  return folder.entries.flatMap((entry) => {
    if (entry.kind === 'folder') return largeOids(entry, largeFileBytes);
    return entry.kind === 'file' && entry.size >= largeFileBytes && entry.oid !== undefined ? [entry.oid] : [];
  });
}
