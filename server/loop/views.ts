import { nextForPerson } from '../domain/command-refusal.ts';
import { RECOVERY_OPTIONS } from '../domain/events.ts';
import { type Oid, parseUnitId } from '../domain/ids.ts';
import type { CallState, ProjectState, RunState } from '../domain/project-state.ts';
import type { UnitState } from '../domain/unit-state.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import type { Halt } from './project-actor.ts';
import type { CallView, ProjectSummary, ProjectView, RecoveryView, RunView, UnitView } from './service.ts';

/** A project in a list. One that halts shows as blocked, with what could not be written down. */
export function projectSummary(state: ProjectState, halt: Halt | undefined): ProjectSummary {
  const { pid, cid, name, requirement, revisions, created_at, updated_at } = state;
  const { status, reason } = statusOf(state, halt);
  return withoutUndefined({ pid, cid, name, requirement, status, reason, revisions, created_at, updated_at });
}

export function projectView(
  state: ProjectState,
  at: { readonly halt: Halt | undefined; readonly path: string; readonly head: Oid },
): ProjectView {
  const { status, detail } = statusOf(state, at.halt);
  const gate = status === 'waiting_approval' && state.stage.kind === 'gate' ? state.stage.gate : undefined;
  return {
    ...projectSummary(state, at.halt),
    path: at.path,
    head: at.head,
    round: state.round,
    units: state.units.map(unitView),
    calls: state.calls.map(callView),
    spent: state.spent,
    settings: state.settings,
    team: state.team,
    ...withoutUndefined({ detail, hint: hintOf(state), gate, recovery: recoveryView(state) }),
  };
}

export function unitView({ id, spec, status, round, attempt, last_run }: UnitState): UnitView {
  const depends_on = spec.depends_on.map(parseUnitId);
  return withoutUndefined({ id, title: spec.title, depends_on, status, round, attempt, last_run });
}

export function runView(run: RunState): RunView {
  return withoutUndefined(run);
}

export function recoveryView({ pid, recovery }: ProjectState): RecoveryView | undefined {
  if (recovery === undefined) return undefined;
  return { pid, ...recovery, options: RECOVERY_OPTIONS };
}

function statusOf(state: ProjectState, halt: Halt | undefined): Pick<ProjectState, 'status' | 'reason' | 'detail'> {
  if (halt === undefined) return state;
  return { status: 'blocked', reason: halt.code, detail: halt.detail };
}

function hintOf(state: ProjectState): string | undefined {
  if (state.recovery !== undefined) return 'Files are in no commit since a crash: choose what becomes of them.';
  if (state.status === 'running') return undefined;
  const failed = state.units.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (state.status === 'blocked' && state.reason === 'unit_failed') {
    return `Run it with units ${failed.join(', ')} to grant them a new round, or give feedback.`;
  }
  return nextForPerson(state.status);
}

function callView({ record, ...call }: CallState): CallView {
  const { source, layers, usage, duration_ms } = record ?? {};
  return withoutUndefined({ ...call, source, layers, usage, duration_ms });
}
