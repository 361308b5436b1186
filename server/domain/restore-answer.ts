import { withoutUndefined } from './without-undefined.ts';
import type { RestoreRecord } from './workspace-restore.ts';

/** A restore that was applied, as programs and people are told of it. */
export type RestoreAnswer = ReturnType<typeof restoreAnswer>;

export function restoreAnswer({ id, target, rows, folders, pre, applied_at, undoes }: RestoreRecord) {
  const { point, scope, into } = target;
  return withoutUndefined({ id, point, scope, into, changed: rows.length + folders.length, pre, applied_at, undoes });
}
