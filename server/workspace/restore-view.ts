import { fromPathText, pathText } from '../domain/byte-path.ts';
import { parsePointId, parseRestoreId } from '../domain/point.ts';
import type { NotRestored } from '../domain/restore-plan.ts';
import type { RestoreRecord, RestoreView } from '../domain/workspace-restore.ts';
import type { PlannedRestore } from './make-plan.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Puts a plan into the form in which it is shown. */
export async function viewOf(
  workspace: OpenWorkspace,
  { id, digest }: RestoreRecord,
  planned: PlannedRestore,
): Promise<RestoreView> {
  const { plan, rows, folders, point } = planned;
  return {
    id: parseRestoreId(id),
    digest,
    point: parsePointId(point.id),
    rows,
    folders,
    kept: keptRows(plan.kept),
    blocked: notRestoredRows(plan.blocked),
    bytes: await bytesOf(workspace, planned),
    nested_moved: nestedMoved(planned),
  };
}

async function bytesOf({ reader }: OpenWorkspace, { plan, point }: PlannedRestore): Promise<number> {
  const large = new Map(point.large.map((row) => [fromPathText(row), row.size]));
  const sizes = plan.files.map(async ({ kind, path, to }) => {
    if (kind === 'mode' || to?.oid === undefined) return 0;
    return large.get(path) ?? (await reader.stat(to.oid))?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function nestedMoved({ point, nested }: PlannedRestore): RestoreView['nested_moved'] {
  const now = new Map(nested.map((row) => [fromPathText(row), row]));
  return point.nested.flatMap((row) => {
    const is = now.get(fromPathText(row));
    if (is?.head === row.head) return [];
    return [{ ...pathText(fromPathText(row)), ...(row.head && { was: row.head }), ...(is?.head && { is: is.head }) }];
  });
}

/** What stays as it is although nobody chose to leave it. */
export function keptRows(kept: readonly NotRestored[]): RestoreView['kept'] {
  return notRestoredRows(kept.filter(({ reason }) => reason !== 'not_chosen'));
}

export function notRestoredRows(rows: readonly NotRestored[]): RestoreView['kept'] {
  return rows.map(({ path, reason }) => ({ ...pathText(path), reason }));
}
