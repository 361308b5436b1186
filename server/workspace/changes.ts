import { type BytePath, type PathText, pathText } from '../domain/byte-path.ts';
import type { ChangeKind } from '../domain/commit.ts';
import type { TreeFile, TreeFolder } from '../domain/file-tree.ts';
import type { PointId } from '../domain/point.ts';
import { type TreeChange, treeDifference } from '../domain/tree-difference.ts';
import { trackedBy } from './collect-files.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { hashSink } from './point-sink.ts';
import { findPoint, listPoints } from './point-store.ts';
import { pointTree } from './point-tree.ts';
import { settlePoints, settleRestores } from './workspace-lock.ts';

/** One side of a comparison: a point, or the folder as it is now. */
export type Side = PointId | 'now';

export interface WorkspaceChange extends PathText {
  readonly change: ChangeKind | 'renamed';
  /** Where the content was before. */
  readonly renamed_from?: PathText;
}

/** Lists the files in which two sides differ; a file whose content is at another path now counts as renamed. */
export async function changesBetween(
  workspace: OpenWorkspace,
  from: Side,
  to: Side,
): Promise<readonly WorkspaceChange[]> {
  const [before, after] = [await sideTree(workspace, from), await sideTree(workspace, to)];
  return withRenames(treeDifference(before, after, 'exact'));
}

/** The files of a side in memory. */
export async function sideTree(workspace: OpenWorkspace, side: Side): Promise<TreeFolder> {
  await settlePoints(workspace);
  if (side !== 'now') return pointTree(workspace, await findPoint(workspace, side));
  await settleRestores(workspace);
  const tracked = await trackedBy(workspace, (await listPoints(workspace)).at(-1));
  return (await workspace.tree().files.look({ tracked, hasher: hashSink(workspace) })).disk;
}

function withRenames(changes: readonly TreeChange[]): readonly WorkspaceChange[] {
  const gone = new Map<string, BytePath[]>();
  for (const { path, change, from } of changes) if (change === 'deleted') keyed(gone, from).push(path);
  const moved = new Map<BytePath, BytePath>();
  for (const { path, change, to } of changes) {
    const source = change === 'added' ? keyed(gone, to).shift() : undefined;
    if (source !== undefined) moved.set(path, source);
  }
  const sources = new Set(moved.values());
  return changes
    .filter(({ path }) => !sources.has(path))
    .map(({ path, change }) => {
      const source = moved.get(path);
      return source === undefined
        ? { ...pathText(path), change }
        : { ...pathText(path), change: 'renamed' as const, renamed_from: pathText(source) };
    });
}

/** Empty files are alike without being the same. */
function keyed(map: Map<string, BytePath[]>, file: TreeFile | undefined): BytePath[] {
  const key = file === undefined || file.oid === EMPTY_BLOB ? '' : `${file.kind} ${file.oid}`;
  if (key === '') return [];
  const paths = map.get(key) ?? [];
  map.set(key, paths);
  return paths;
}

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
