import { type BytePath, fromPathText, isWithin, joinPath, type PathText, pathText } from '../domain/byte-path.ts';
import { EMPTY_TREE, entryAt, type TreeEntryNode } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Manifest, NestedRepository, Point } from '../domain/point.ts';
import type { ObjectWriter } from '../git/objects/object-writer.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { putPointCommit } from './point-commit.ts';
import { pointTree } from './point-tree.ts';
import { countsOf, withoutPath } from './without-path.ts';

/** Writes a point's commit anew without a path; undefined where neither its files nor a history of it can hold the path. */
export async function pointWithout(
  workspace: OpenWorkspace,
  writer: ObjectWriter,
  { point, path }: { readonly point: Point; readonly path: BytePath },
): Promise<Oid | undefined> {
  const tree = await pointTree(workspace, point);
  const gone = entryAt(tree, path);
  const nested = point.nested.map((row) => withoutHistory(row, path));
  if (gone === undefined && nested.every((row, i) => row === point.nested[i])) return undefined;
  const sink = { has: (oid: Oid) => writer.has(oid), put: writer.write.bind(writer) };
  const rest = gone === undefined ? { ...tree, oid: point.files } : withoutPath(tree, path, sink);
  const bytes = gone === undefined ? 0 : await bytesOf(workspace, point, { entry: gone, path });
  const { commit: _commit, files: _files, ...manifest } = point;
  const keeps = <Row extends PathText>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => !isWithin(fromPathText(row), path));
  const purged: Manifest = {
    ...manifest,
    counts: { ...countsOf(rest), bytes: Math.max(0, manifest.counts.bytes - bytes) },
    folders: keeps(manifest.folders),
    modes: keeps(manifest.modes),
    large: keeps(manifest.large),
    nested,
    purged: [...(manifest.purged ?? []), pathText(path)],
  };
  return putPointCommit(writer, rest.oid ?? EMPTY_TREE, purged);
}

interface Entry {
  readonly entry: TreeEntryNode;
  readonly path: BytePath;
}

/** Bytes of a file, or of all below a folder, as the point counts them. */
async function bytesOf(workspace: OpenWorkspace, point: Point, { entry, path }: Entry): Promise<number> {
  if (entry.kind !== 'folder') {
    const large = point.large.find((row) => fromPathText(row) === path);
    return large?.size ?? (entry.oid && (await workspace.reader.stat(entry.oid))?.size) ?? 0;
  }
  let bytes = 0;
  for (const one of entry.entries)
    bytes += await bytesOf(workspace, point, { entry: one, path: joinPath(path, one.name) });
  return bytes;
}

/** A history may hold what is purged from the repository's files, or be all that is purged. */
function withoutHistory(row: NestedRepository, path: BytePath): NestedRepository {
  const at = fromPathText(row);
  if (row.history === undefined || !(isWithin(path, at) || isWithin(at, path))) return row;
  const { history: _history, ...rest } = row;
  return { ...rest, git_history_saved: false, history_left_out: 'purged' };
}
