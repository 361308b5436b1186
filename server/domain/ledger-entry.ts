import { type Exceeded, exceededBudget, exceededRounds } from './budgets.ts';
import type { CommitEffect } from './effect.ts';
import type { ProjectEvent } from './events.ts';
import type { LoopEvent } from './loop-event.ts';
import { ownLines } from './own-lines.ts';
import type { ProjectState } from './project-state.ts';
import type { UnitState } from './unit-state.ts';
import { withoutUndefined } from './without-undefined.ts';

/** What an event leaves in the ledgers and on the stream. */
export interface LedgerEntry {
  readonly events: readonly ProjectEvent[];
  readonly source: string;
  readonly changelog?: readonly Readonly<Record<string, unknown>>[];
  readonly bugs?: readonly Readonly<Record<string, unknown>>[];
}

/** The lines of an event: its own, and one for each thing that differs in the state after it. */
export function ledgerEntry(before: ProjectState | undefined, event: LoopEvent, after: ProjectState): LedgerEntry {
  const changelog = changelogLines(before, event);
  const bugs = after.bugs.filter((bug) => !before?.bugs.some((old) => JSON.stringify(old) === JSON.stringify(bug)));
  return {
    events: [
      ...ownLines(before, event),
      ...unitLines(before, after),
      ...budgetLines(before, after),
      ...statusLines(before, after),
      ...callLines(before, after),
    ],
    source: sourceOf(before, event),
    ...(changelog.length > 0 && { changelog }),
    ...(bugs.length > 0 && { bugs: bugs.map((bug) => ({ ...bug })) }),
  };
}

/** Who caused the event: a role, a person (`user`), or the `loop` itself. */
function sourceOf(before: ProjectState | undefined, event: LoopEvent): string {
  switch (event.kind) {
    case 'call.completed':
    case 'call.failed':
    case 'call.interrupted':
      return before?.calls.find(({ call }) => call === event.key)?.role ?? 'loop';
    case 'project.created':
    case 'run.requested':
    case 'pause.requested':
    case 'resume.requested':
    case 'cancel.requested':
    case 'gate.approved':
    case 'gate.rejected':
    case 'feedback.given':
    case 'sign_off.requested':
    case 'abandon.requested':
    case 'recovery.chosen':
      return 'user';
    default:
      return 'loop';
  }
}

/** One line a landed revision of PRD or SDD, with its tag; an Architect's patch changes the units only and has none. */
function changelogLines(
  before: ProjectState | undefined,
  event: LoopEvent,
): readonly Readonly<Record<string, unknown>>[] {
  if (event.kind !== 'commit.landed') return [];
  const effect = before?.inflight.find((one): one is CommitEffect => one.kind === 'commit' && one.key === event.key);
  if (effect?.purpose.kind === 'prd') {
    const { rev, summary } = effect.purpose;
    return [withoutUndefined({ kind: 'prd', rev, tag: event.tag, summary })];
  }
  if (effect?.purpose.kind !== 'sdd') return [];
  const { mode, rev, result } = effect.purpose;
  const kind = mode === 'generate' ? 'sdd' : 'units';
  return [withoutUndefined({ kind, rev, tag: event.tag, summary: result.change_summary })];
}

function unitLines(before: ProjectState | undefined, after: ProjectState): readonly ProjectEvent[] {
  return after.units
    .filter((unit) => unitText(before?.units.find(({ id }) => id === unit.id)) !== unitText(unit))
    .map(({ id, status, round, attempt }) => ({ kind: 'unit_status', unit: id, status, round, attempt }));
}

const unitText = (unit: UnitState | undefined): string =>
  unit === undefined ? '' : `${unit.status} ${unit.round} ${unit.attempt}`;

function statusLines(before: ProjectState | undefined, after: ProjectState): readonly ProjectEvent[] {
  const { status, reason, detail } = after;
  const same = before?.status === status && before.reason === reason && before.detail === detail;
  const gate = status === 'waiting_approval' && before?.status !== status && after.stage.kind === 'gate';
  return [
    ...(same ? [] : [withoutUndefined({ kind: 'project_status', status, reason, detail } as const)]),
    ...(gate ? [{ kind: 'gate_waiting', gate: after.stage.gate } as const] : []),
  ];
}

function budgetLines(before: ProjectState | undefined, after: ProjectState): readonly ProjectEvent[] {
  const failed = after.units.filter(
    ({ id, status }) => status === 'failed' && before?.units.find((unit) => unit.id === id)?.status !== 'failed',
  );
  const limit = after.settings.attempts;
  const spent: readonly Exceeded[] = failed.map(() => ({ budget: 'attempts', limit, spent: limit }));
  const blocked = after.status === 'blocked' && before?.status !== 'blocked';
  const budget = !blocked ? undefined : after.reason === 'budget' ? exceededBudget(after) : exceededRounds(after);
  return [...spent, ...(budget === undefined ? [] : [budget])].map((one) => ({ kind: 'budget_exceeded', ...one }));
}

function callLines(before: ProjectState | undefined, after: ProjectState): readonly ProjectEvent[] {
  return after.calls.slice(before?.calls.length ?? 0).map(({ call, role, unit, attempt, round, driver }) => ({
    kind: 'agent_started',
    call,
    role,
    round,
    attempt,
    driver,
    ...(unit !== undefined && { unit }),
  }));
}
