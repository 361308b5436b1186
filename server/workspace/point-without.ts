import { type BytePath, fromPathText, isWithin, type PathText, pathText } from '../domain/byte-path.ts';
import { EMPTY_TREE, entryAt } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Manifest, NestedRepository, Point } from '../domain/point.ts';
import type { ObjectWriter } from '../git/objects/object-writer.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointTree } from './point-tree.ts';
import { putPointCommit } from './publish-point.ts';
import { countsOf, withoutPath } from './without-path.ts';

/** Writes a point's commit anew without a path; undefined where the point does not hold it. */
export async function pointWithout(
  workspace: OpenWorkspace,
  writer: ObjectWriter,
  { point, path }: { readonly point: Point; readonly path: BytePath },
): Promise<Oid | undefined> {
  const tree = await pointTree(workspace, point);
  const gone = entryAt(tree, path);
  if (gone === undefined) return undefined;
  const sink = { has: (oid: Oid) => writer.has(oid), put: writer.write.bind(writer) };
  const rest = withoutPath(tree, path, sink);
  const { commit: _commit, files: _files, ...manifest } = point;
  const keeps = <Row extends PathText>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => !isWithin(fromPathText(row), path));
  const purged: Manifest = {
    ...manifest,
    counts: { ...countsOf(rest), bytes: manifest.counts.bytes },
    folders: keeps(manifest.folders),
    modes: keeps(manifest.modes),
    large: keeps(manifest.large),
    nested: manifest.nested.map((row) => withoutHistory(row, path)),
    purged: [...(manifest.purged ?? []), pathText(path)],
  };
  return putPointCommit(writer, rest.oid ?? EMPTY_TREE, purged);
}

/** A history may hold what is purged from the repository's files, or be all that is purged. */
function withoutHistory(row: NestedRepository, path: BytePath): NestedRepository {
  const at = fromPathText(row);
  if (row.history === undefined || !(isWithin(path, at) || isWithin(at, path))) return row;
  const { history: _history, ...rest } = row;
  return { ...rest, git_history_saved: false, history_left_out: 'purged' };
}
