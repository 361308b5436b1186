import { hash } from 'node:crypto';
import { type BytePath, fromPathText, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { TreeFile, TreeFolder } from '../domain/file-tree.ts';
import type { NestedRepository, Point } from '../domain/point.ts';
import { planRestore, type RestorePlan, type SeenFolder } from '../domain/restore-plan.ts';
import type { RestoreFolderRow, RestoreRow, RestoreTarget } from '../domain/workspace-restore.ts';
import { chooseBelow, chooseExactly, keepAll } from './choose-paths.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { knownChanges, type TurnChanges, turnChanges } from './turn-changes.ts';

export interface MadePlan {
  readonly plan: RestorePlan;
  readonly rows: readonly RestoreRow[];
  readonly folders: readonly RestoreFolderRow[];
  readonly digest: string;
}

/** A plan with all that it was made from. */
export interface PlannedRestore extends MadePlan {
  /** Absolute path of the folder that is written. */
  readonly root: string;
  readonly point: Point;
  readonly before: TreeFolder;
  readonly now: SeenFolder;
  /** The repositories that are there now. */
  readonly nested: readonly NestedRepository[];
}

/** Refuses points that a folder cannot be restored to in place. Throws post_turn_in_place, point_incomplete. */
export function refusePoint(point: Point): void {
  if (point.phase === 'POST_TURN') {
    throw new DevLoopError('post_turn_in_place', `${point.id} is the state after a turn, which is for comparing`, {
      data: { id: point.id },
      hint: 'Undo a turn by the point before it, or restore this one into a new folder.',
    });
  }
  if (point.complete) return;
  throw new DevLoopError('point_incomplete', `${point.id} does not hold all files: some could not be read`, {
    data: { id: point.id, left_out: point.left_out.filter(({ reason }) => reason === 'unreadable') },
    hint: 'Restore it into a new folder.',
  });
}

/** Plans the way from the folder as it is now to a point. */
export async function makePlan(
  workspace: OpenWorkspace,
  target: RestoreTarget,
  trees: { readonly point: Point; readonly before: TreeFolder; readonly now: SeenFolder },
): Promise<MadePlan> {
  const { point, before, now } = trees;
  return planOf(target, { before, now }, await turnChanges(workspace, point, { before, now }));
}

/** The same by what is in memory. Throws `bad_state` where a turn's changes are asked for and not known. */
export function planOf(
  target: RestoreTarget,
  { before, now }: { readonly before: TreeFolder; readonly now: SeenFolder },
  changes?: TurnChanges,
): MadePlan {
  const keep = keepAll([
    target.only && chooseBelow(target.only.map(fromPathText)),
    target.exactly && chooseExactly(target.exactly.map(fromPathText)),
    target.scope === 'agent' ? knownChanges(changes).keep : undefined,
  ]);
  const plan = planRestore(now, before, { modes: 'exact', keep });
  const rows = plan.files.map(({ path, kind, from, to }) => ({
    ...pathText(path),
    kind,
    ...(from && { from: side(from) }),
    ...(to && { to: side(to) }),
    ...(changes?.changedAfter(path) && { changed_after: true }),
  }));
  const folders = plan.folders.map(({ path, kind, mode }) => ({
    ...pathText(path),
    kind,
    ...(mode !== undefined && { mode }),
  }));
  return { plan, rows, folders, digest: digestOf(plan, rows) };
}

/** The paths in which two plans differ. */
export function movedBetween(
  before: readonly RestoreRow[],
  after: readonly RestoreRow[],
): readonly { readonly path: string }[] {
  const [old, fresh] = [before, after].map(
    (rows) => new Map(rows.map((row) => [fromPathText(row), JSON.stringify(row)])),
  );
  const paths = new Set<BytePath>([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])]);
  return [...paths]
    .filter((path) => old?.get(path) !== fresh?.get(path))
    .sort()
    .map(pathText);
}

function side({ kind, mode, oid }: TreeFile): { kind: TreeFile['kind']; mode: number; oid?: string } {
  return { kind, mode, ...(oid !== undefined && { oid }) };
}

function digestOf({ folders, kept, blocked }: RestorePlan, rows: readonly RestoreRow[]): string {
  return hash('sha256', JSON.stringify([rows, folders, kept, blocked]));
}
