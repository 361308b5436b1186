import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_TREE } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { type Manifest, manifestSchema, type Point, type PointId } from '../domain/point.ts';
import { parseCommit } from '../git/objects/commit-format.ts';
import { parseTree, type TreeItem } from '../git/objects/tree-format.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Lists all points, oldest first. A point is there if its ref is. Throws `store_damaged` where one cannot be read. */
export async function listPoints(workspace: OpenWorkspace): Promise<readonly Point[]> {
  const { refs, cache } = workspace.points;
  const commits = [...refs.list().values()];
  const fresh: Point[] = [];
  for (const commit of commits) if (cache.get(commit) === undefined) fresh.push(await readPoint(workspace, commit));
  if (fresh.length > 0) cache.note(fresh);
  const points = commits.flatMap((commit) => cache.get(commit) ?? []).sort((a, b) => a.seq - b.seq);
  if (cache.size > points.length) cache.keepOnly(points);
  return points;
}

/** Throws `point_not_found`. */
export async function findPoint(workspace: OpenWorkspace, id: PointId): Promise<Point> {
  const point = (await listPoints(workspace)).find((one) => one.id === id);
  if (point !== undefined) return point;
  throw new DevLoopError('point_not_found', `there is no point ${id}`, { data: { id } });
}

/** Reads a point from its commit. */
export async function readPoint(workspace: OpenWorkspace, commit: Oid): Promise<Point> {
  try {
    const items = await pointItems(workspace, commit);
    const manifest = items.find(({ name }) => name === 'point.json');
    const files = items.find(({ name }) => name === 'files')?.oid ?? EMPTY_TREE;
    if (manifest !== undefined) {
      const { content } = await workspace.reader.read(manifest.oid);
      return { ...parseManifest(content), commit, files };
    }
  } catch (error) {
    if (!(error instanceof DevLoopError)) throw error;
    throw damaged(workspace, commit, error);
  }
  throw damaged(workspace, commit);
}

/** The entries of a point's own tree: `files` and `point.json`. */
async function pointItems({ reader }: OpenWorkspace, commit: Oid): Promise<readonly TreeItem[]> {
  const { tree } = parseCommit((await reader.read(commit)).content);
  return parseTree((await reader.read(tree)).content);
}

function parseManifest(content: Buffer): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(content.toString()));
  } catch (cause) {
    throw new DevLoopError('store_damaged', 'a point has no manifest that can be read', { cause });
  }
}

function damaged({ store }: OpenWorkspace, commit: Oid, cause?: unknown): DevLoopError {
  return new DevLoopError('store_damaged', `the point in commit ${commit} cannot be read`, {
    data: { store, commit },
    hint: 'devloop protect verify tells which points are whole.',
    cause,
  });
}
