import type { PathText } from '../domain/byte-path.ts';
import type { PlanAnswer, PlannedFile } from '../domain/plan-answer.ts';
import type { RestoreReport } from '../domain/workspace-restore.ts';
import { table } from './table.ts';
import { plain } from './terminal.ts';

type Reasoned = PathText & { readonly reason: string };

/** What a point does not hold, but for what the rules leave out anyway. */
export function leftOutText(rows: readonly Reasoned[]): string {
  const unexpected = rows.filter(({ reason }) => reason !== 'ignored');
  const ignored = rows.length - unexpected.length;
  const lines = table(unexpected.map(({ path, reason }) => ['  not kept', reason, path]));
  return ignored === 0 ? lines : `${lines}  ${ignored} left out by the rules; \`devloop protect status\` names them\n`;
}

/** A plan, a line a file. */
export function planText(plan: PlanAnswer): string {
  const rows = [
    ...linesOf('add', plan.adds),
    ...linesOf('overwrite', plan.overwrites),
    ...linesOf('mode', plan.modes),
    ...linesOf('delete', plan.deletes),
    ...plan.kept.map(({ path, reason }) => ['keep', path, reason]),
    ...plan.blocked.map(({ path, reason }) => ['BLOCKED', path, reason]),
  ];
  const moved = plan.nested_moved.map(
    ({ path }) => `the history of the repository ${plain(path || '.')} is not restored: its HEAD has moved\n`,
  );
  return rows.length === 0 ? `nothing differs from ${plan.point}\n` : table(rows) + moved.join('');
}

/** True where a restore does nothing. */
export function isEmptyPlan({ adds, overwrites, deletes, modes, folders }: PlanAnswer): boolean {
  return adds.length + overwrites.length + deletes.length + modes.length + folders.length === 0;
}

/** Files that somebody changed after the turn: the restore takes that too. */
export function changedAfter({ adds, overwrites, deletes, modes }: PlanAnswer): readonly PlannedFile[] {
  return [...adds, ...overwrites, ...deletes, ...modes].filter(({ changed_after }) => changed_after === true);
}

export function reportText({ changed, pre, skipped, blocked }: RestoreReport): string {
  const left = [...skipped, ...blocked].map(({ path, reason }) => ['  left as it is', path, reason]);
  const back = pre === undefined ? '' : '; `devloop redo` takes this back';
  return `${changed} ${changed === 1 ? 'file' : 'files'} changed${back}\n${table(left)}`;
}

function linesOf(what: string, files: readonly PlannedFile[]): readonly string[][] {
  return files.map(({ path, changed_after, type_change }) => [
    what,
    path,
    [type_change === true ? 'becomes another kind' : '', changed_after === true ? 'changed after the turn' : '']
      .filter((note) => note !== '')
      .join(', '),
  ]);
}
