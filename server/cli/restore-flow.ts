import type { Workspace } from '../app-workspaces.ts';
import { type PlanAnswer, planAnswer } from '../domain/plan-answer.ts';
import type { RestoreReport, RestoreScope, RestoreView } from '../domain/workspace-restore.ts';
import type { CommandContext } from './command.ts';
import { EXIT, type ExitStatus } from './exit-codes.ts';
import { changedAfter, isEmptyPlan, planText, reportText } from './point-text.ts';

/** What came of a plan: shown only, or applied. */
export interface RestoreOutcome {
  readonly plan: PlanAnswer;
  readonly report?: RestoreReport;
  /** Files were changed after the turn, and nobody said whether they go back too. */
  readonly needs_scope?: true;
}

export interface RestoreWishes {
  readonly dryRun: boolean;
  readonly scope: RestoreScope | undefined;
}

/** Shows a plan, asks, and applies it. */
export async function restoreByPlan(
  workspace: Workspace,
  view: RestoreView,
  wishes: RestoreWishes & Pick<CommandContext, 'terminal' | 'yes'>,
): Promise<RestoreOutcome> {
  const { terminal, yes, dryRun, scope } = wishes;
  const plan = planAnswer(view);
  if (dryRun || isEmptyPlan(plan)) return { plan };
  const later = changedAfter(plan);
  if (later.length > 0 && scope === undefined && yes) return { plan, needs_scope: true };
  terminal.note(planText(plan).trimEnd());
  if (!(await terminal.confirm(question(plan, later.length), { yes }))) return { plan };
  return { plan, report: await workspace.applyRestore(view.id, view.digest) };
}

export function restoreOutcomeText({ plan, report, needs_scope }: RestoreOutcome): string {
  if (report !== undefined) return reportText(report);
  if (needs_scope !== true) return planText(plan);
  return `${planText(plan)}nothing was changed: files were changed after the turn. Choose --scope agent to keep them, or --scope all.\n`;
}

export function restoreStatus({ needs_scope }: RestoreOutcome): ExitStatus {
  return needs_scope === true ? EXIT.decision : EXIT.ok;
}

function question({ adds, overwrites, deletes, modes }: PlanAnswer, later: number): string {
  const counts = `${adds.length} added, ${overwrites.length} overwritten, ${modes.length} modes, ${deletes.length} deleted`;
  return `Go back (${counts}${later === 0 ? '' : `; ${later} of them changed after the turn`})?`;
}
