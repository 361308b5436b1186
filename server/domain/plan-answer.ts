import type { PathText } from './byte-path.ts';
import type { RestoreRow, RestoreView } from './workspace-restore.ts';

/** A file in a list of a plan. */
export interface PlannedFile extends PathText {
  /** Changed after the turn that the restore goes back before. */
  readonly changed_after?: true;
  /** Set where a file and a link stand in each other's place. */
  readonly type_change?: true;
}

/** A plan as programs and people are told of it: a list for each thing that it does. */
export interface PlanAnswer extends Omit<RestoreView, 'rows'> {
  readonly adds: readonly PlannedFile[];
  readonly overwrites: readonly PlannedFile[];
  readonly deletes: readonly PlannedFile[];
  readonly modes: readonly PlannedFile[];
}

export function planAnswer({ rows, ...plan }: RestoreView): PlanAnswer {
  const of = (...kinds: readonly RestoreRow['kind'][]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).map(plannedFile);
  return { ...plan, adds: of('add'), overwrites: of('overwrite', 'type'), deletes: of('delete'), modes: of('mode') };
}

function plannedFile({ path, path_b64, changed_after, kind }: RestoreRow): PlannedFile {
  return {
    path,
    ...(path_b64 !== undefined && { path_b64 }),
    ...(changed_after === true && { changed_after }),
    ...(kind === 'type' && { type_change: true }),
  };
}
