import { buildCommitSpec } from './build-commit-spec.ts';
import type { RecoveryEvent } from './loop-event.ts';
import { nextKey } from './next-key.ts';
import type { ProjectState, Stage } from './project-state.ts';
import { type TransitionCause, transition } from './status-transitions.ts';
import { underWay } from './take-step.ts';
import { takenBack } from './unit-rounds.ts';
import type { UnitState } from './unit-state.ts';

/** Folds what boot found, and how a person settled it. */
export function applyRecovery(state: ProjectState, event: RecoveryEvent): ProjectState {
  switch (event.kind) {
    case 'project.interrupted':
      return { ...withStatus(state, 'interrupt'), reason: 'interrupted', detail: 'the server stopped while it ran' };
    case 'boot.scanned': {
      const back = { ...takeBack(state), head: event.head };
      if (event.problems.length === 0) return back;
      return { ...withStatus(back, 'damage'), reason: 'vault_damaged', detail: event.problems.join('; ') };
    }
    case 'recovery.found': {
      const inspecting = state.recovery?.snapshot === event.snapshot && state.recovery.inspecting;
      return { ...state, recovery: { snapshot: event.snapshot, files: event.files, inspecting } };
    }
    case 'recovery.chosen':
      return chosen(state, event);
    case 'recovery.settled': {
      const inflight = state.inflight.filter(({ kind }) => kind !== 'recover');
      return { ...state, inflight, recovery: undefined, head: event.sha ?? state.head };
    }
  }
}

/**
 * The state with all work taken back that is in no commit and no attempt: those calls will be made again, with the same round
 * and attempt, from the files that they began with. Nothing is under way afterwards.
 */
export function takeBack(state: ProjectState): ProjectState {
  const lost = new Set([...state.units.map(({ base, tested }) => base && tested?.run), lostRun(state.stage)]);
  return {
    ...state,
    inflight: [],
    aborting: [],
    failed: [],
    blocker: undefined,
    stage: stageBack(state.stage),
    units: state.units.map((unit): UnitState => takenBack(unit)),
    runs: state.runs.filter(({ run }) => !lost.has(run)),
    calls: state.calls.map((call) => (call.status === 'running' ? { ...call, status: 'interrupted' } : call)),
  };
}

/** True where a kill now would lose work. */
export function hasWorkToLose(state: ProjectState): boolean {
  const { stage } = state;
  const task = 'task' in stage && stage.task.done !== undefined;
  const run = stage.kind === 'integration' && stage.run !== undefined;
  return task || run || state.inflight.length > 0 || state.failed.length > 0 || state.units.some(isBegun);
}

const isBegun = (unit: UnitState): boolean => unit.base !== undefined && takenBack(unit).next !== unit.next;

function lostRun(stage: Stage): string | undefined {
  return stage.kind === 'integration' ? stage.run?.run : undefined;
}

function stageBack(stage: Stage): Stage {
  if (!('task' in stage)) return stage;
  const task = { ...stage.task, done: undefined, again: stage.task.base !== undefined };
  return stage.kind === 'integration' ? { ...stage, task, run: undefined } : { ...stage, task };
}

function chosen(
  state: ProjectState,
  { action, snapshot }: Extract<RecoveryEvent, { kind: 'recovery.chosen' }>,
): ProjectState {
  if (state.recovery === undefined) return state;
  if (action === 'manual_inspect') return { ...state, recovery: { ...state.recovery, inspecting: true } };
  const key = nextKey(state, 'recover');
  const spec = buildCommitSpec({ kind: 'wip', key, files: state.recovery.files.length });
  return underWay(state, { kind: 'recover', key, action, snapshot, spec });
}

function withStatus(state: ProjectState, cause: TransitionCause): ProjectState {
  return { ...state, status: transition(state.status, cause) ?? state.status };
}
