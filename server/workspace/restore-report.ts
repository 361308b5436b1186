import { type BytePath, fromPathText } from '../domain/byte-path.ts';
import { parseRestoreId } from '../domain/point.ts';
import type { NotRestored } from '../domain/restore-plan.ts';
import type { RestoreRecord, RestoreReport } from '../domain/workspace-restore.ts';
import type { MadePlan } from './make-plan.ts';
import { keptRows, notRestoredRows } from './restore-view.ts';

/** Tells what a restore did. */
export function reportOf(
  { id, rows }: RestoreRecord,
  { plan }: MadePlan,
  { changed, skipped }: { readonly changed: number; readonly skipped: readonly NotRestored[] },
): RestoreReport {
  return {
    id: parseRestoreId(id),
    changed,
    rows,
    kept: keptRows(plan.kept),
    blocked: notRestoredRows(plan.blocked),
    skipped: notRestoredRows(skipped),
  };
}

/** The paths that a restore changed. */
export function changedPaths({ rows, folders }: RestoreRecord): readonly BytePath[] {
  return [...rows, ...folders].map(fromPathText);
}
