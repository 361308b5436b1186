import type { AgentResult } from './agent-results.ts';
import { logSection, withSection } from './coder-log.ts';
import { shortRun } from './commit-message.ts';
import type { CallEffect } from './effect.ts';
import { DevLoopError } from './errors.ts';
import { parseUnitId, type UnitId } from './ids.ts';
import type { CallOutcome, EventOf } from './loop-event.ts';
import { addUsage, type Bug, type CallState, type ProjectState, withTask, withUnit } from './project-state.ts';
import { CALL_TRIES, reactionTo } from './retry-policy.ts';
import { transition } from './status-transitions.ts';
import { takeInflight } from './take-inflight.ts';

/** Folds the outcome of an agent call. One that ended while it was being stopped counts as interrupted, whatever it says. */
export function applyCall(state: ProjectState, event: CallOutcome & { readonly at: string }): ProjectState {
  const { effect, rest, stopping } = takeInflight(state, event.key, 'call_agent');
  const spent = event.record === undefined ? rest : { ...rest, spent: addUsage(rest.spent, event.record.usage) };
  if (stopping || event.kind === 'call.interrupted') return interrupted(spent, effect, event);
  if (event.kind === 'call.completed') {
    const noted = noteCall(spent, event, { status: 'done', record: event.record });
    return completed(noted, effect, event);
  }
  return failed(spent, effect, event);
}

function interrupted(state: ProjectState, effect: CallEffect, event: CallOutcome): ProjectState {
  const noted = noteCall(state, event, { status: 'interrupted', record: event.record });
  const again = () => ({ again: true });
  return effect.unit === undefined ? withTask(noted, again) : withUnit(noted, effect.unit, again);
}

function completed(state: ProjectState, effect: CallEffect, event: EventOf<'call.completed'>): ProjectState {
  const { result, record, key: call, tests_tree } = event;
  switch (result.role) {
    case 'coder':
      return withUnit(state, unitIn(effect), ({ attempt }) => ({
        coder: { call, attempt, record, summary: result.summary },
        next: 'test',
      }));
    case 'tester': {
      if (tests_tree === undefined) throw new DevLoopError('internal', `call ${call} left no tests tree`);
      const tester = { call, record, promised: result.tests, tests_tree };
      return withUnit(state, unitIn(effect), () => ({ tester, next: 'verify' }));
    }
    case 'bug-triager':
      return withBug(done(state, effect, event), result);
    default:
      return done(state, effect, event);
  }
}

const done = (state: ProjectState, effect: CallEffect, { key: call, result, record }: EventOf<'call.completed'>) =>
  withTask(state, () => ({ done: { call, result, record, feedback: effect.feedback } }));

function failed(
  state: ProjectState,
  effect: CallEffect,
  event: EventOf<'call.failed'> & { readonly at: string },
): ProjectState {
  const { reason, detail, record, at } = event;
  switch (reactionTo(reason, effect.role)) {
    case 'stop': {
      const status = transition(state.status, 'pause') ?? state.status;
      return { ...interrupted(state, effect, event), status, reason: 'cancelled', detail };
    }
    case 'block': {
      const noted = noteCall(state, event, { status: 'failed', record, reason, detail });
      const again = () => ({ again: true });
      const kept = effect.unit === undefined ? withTask(noted, again) : withUnit(noted, effect.unit, again);
      return { ...kept, blocker: { reason, detail: `${effect.role}: ${detail}` } };
    }
    case 'retry': {
      const noted = noteCall(state, event, { status: 'failed', record, reason, detail });
      return effect.unit === undefined ? taskFailed(noted, effect, event) : unitFailed(noted, { effect, event, at });
    }
  }
}

function taskFailed(
  state: ProjectState,
  { role }: CallEffect,
  { reason, detail }: EventOf<'call.failed'>,
): ProjectState {
  const tried = withTask(state, ({ tries }) => ({ tries: tries + 1 }));
  const tries = 'task' in tried.stage ? tried.stage.task.tries : 0;
  if (tries < CALL_TRIES) return tried;
  return {
    ...tried,
    blocker: { reason: 'call_failed', detail: `${role} failed ${tries} times: ${reason}: ${detail}` },
  };
}

function unitFailed(
  state: ProjectState,
  { effect, event, at }: { readonly effect: CallEffect; readonly event: EventOf<'call.failed'>; readonly at: string },
): ProjectState {
  const failure = { role: effect.role, reason: event.reason, detail: event.detail };
  return withUnit(state, unitIn(effect), (unit) => ({
    failure,
    next: 'save',
    status: 'red',
    log: withSection(unit.log, logSection(unit, { at, failure })),
  }));
}

function withBug(state: ProjectState, result: Extract<AgentResult, { role: 'bug-triager' }>): ProjectState {
  if (state.stage.kind !== 'triage') return state;
  const { run } = state.stage.run;
  const { category, reason } = result;
  const bug: Bug = {
    bug: `bug-${shortRun(run)}`,
    state: 'open',
    run,
    category,
    units: result.blamed_units.map(parseUnitId),
    reason,
  };
  return { ...state, bugs: [...state.bugs.filter((other) => other.bug !== bug.bug), bug] };
}

function noteCall(
  state: ProjectState,
  { key }: CallOutcome,
  change: Partial<CallState> & Pick<CallState, 'status'>,
): ProjectState {
  return { ...state, calls: state.calls.map((call) => (call.call === key ? { ...call, ...change } : call)) };
}

function unitIn({ unit, key }: CallEffect): UnitId {
  if (unit === undefined) throw new DevLoopError('internal', `call ${key} is not of a unit`);
  return unit;
}
