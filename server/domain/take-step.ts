import { callEffect } from './call-effect.ts';
import type { Effect } from './effect.ts';
import { DevLoopError } from './errors.ts';
import type { CallId, UnitId } from './ids.ts';
import { nextKey } from './next-key.ts';
import type { Step } from './next-step.ts';
import { NEW_TASK, type ProjectState, unitState, withTask, withUnit } from './project-state.ts';
import { repair } from './repair.ts';
import type { Role } from './roles.ts';
import { transition } from './status-transitions.ts';
import type { UnitState } from './unit-state.ts';
import { attemptSave, stageCommit, unitCommit } from './write-effect.ts';

/** The state with a step under way: its effect among those in flight, or the stage and status that it leads to. */
export function takeStep(
  state: ProjectState,
  step: Exclude<Step, { kind: 'rest' | 'wait' }>,
  at: string,
): ProjectState {
  switch (step.kind) {
    case 'call':
      return startCall(state, { role: step.role, unit: step.unit, at });
    case 'test':
      return underWay(state, testEffect(state, unitNamed(state, step.unit)));
    case 'save':
      return underWay(state, attemptSave(state, unitNamed(state, step.unit)));
    case 'commit':
      return underWay(state, step.unit === undefined ? stageCommit(state) : unitCommit(unitNamed(state, step.unit)));
    case 'write_again':
      return { ...state, inflight: [...state.inflight, failedWrite(state, step.key)] };
    case 'integrate':
      return startIntegration(state);
    case 'repair':
      return repair(state);
    case 'gate':
      return moved(state, 'gate');
    case 'block':
      return { ...moved(state, 'block'), reason: step.reason, detail: step.detail };
  }
}

/** The state with one more effect in flight. */
export function underWay(state: ProjectState, effect: Effect): ProjectState {
  return { ...state, counter: state.counter + 1, inflight: [...state.inflight, effect] };
}

function startCall(
  state: ProjectState,
  { role, unit: id, at }: { readonly role: Role; readonly unit: UnitId | undefined; readonly at: string },
): ProjectState {
  const effect = callEffect(state, role, id === undefined ? undefined : unitNamed(state, id));
  const call = {
    call: effect.key,
    role,
    unit: id,
    round: effect.round,
    attempt: effect.attempt,
    status: 'running',
    driver: effect.team.driver,
    started_at: at,
    reason: undefined,
    detail: undefined,
    record: undefined,
    sha: undefined,
  } as const;
  const started = { ...underWay(state, effect), calls: [...state.calls, call] };
  const begun = <Work extends { readonly base: UnitState['base'] }>({ base }: Work) => ({
    base: base ?? state.head,
    again: false,
  });
  if (id === undefined) return withTask(started, begun);
  return withUnit(started, id, (unit) => ({ ...begun(unit), status: role === 'coder' ? 'coding' : 'testing' }));
}

function testEffect(state: ProjectState, unit: UnitState): Effect {
  const { id, round, attempt, tester, spec } = unit;
  if (tester === undefined) throw new DevLoopError('internal', `unit ${id} has no tests yet`);
  return {
    kind: 'test_unit',
    key: nextKey(state, 'test', id),
    unit: id,
    round,
    attempt,
    command: spec.test_command,
    promised: tester.promised,
    tests_tree: tester.tests_tree,
    test_ms: state.settings.limits.test_ms,
    output_bytes: state.settings.limits.output_bytes,
  };
}

function startIntegration(state: ProjectState): ProjectState {
  const { test_ms, output_bytes } = state.settings.limits;
  const key: CallId = nextKey(state, 'integrate');
  const started = underWay(state, { kind: 'run_integration', key, round: state.round, test_ms, output_bytes });
  if (state.stage.kind === 'integration') return started;
  return { ...started, stage: { kind: 'integration', task: NEW_TASK, run: undefined } };
}

function moved(state: ProjectState, cause: 'gate' | 'block'): ProjectState {
  const status = transition(state.status, cause);
  if (status === undefined) throw new DevLoopError('internal', `no ${cause} from ${state.status}`);
  return { ...state, status, reason: undefined, detail: undefined };
}

function failedWrite(state: ProjectState, key: string): Effect {
  const write = state.failed.find(({ effect }) => effect.key === key);
  if (write === undefined) throw new DevLoopError('internal', `no write ${key} has failed`);
  return { ...write.effect };
}

function unitNamed(state: ProjectState, id: UnitId): UnitState {
  const unit = unitState(state, id);
  if (unit === undefined) throw new DevLoopError('internal', `there is no unit ${id}`);
  return unit;
}
