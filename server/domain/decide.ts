import { applyCall } from './apply-call.ts';
import { applyCommand, stopWork } from './apply-command.ts';
import { applyRecovery } from './apply-recovery.ts';
import { applyRun } from './apply-run.ts';
import { applyWrite } from './apply-write.ts';
import { createProject } from './create-project.ts';
import type { Effect } from './effect.ts';
import { effectFailed } from './effect-failed.ts';
import { DevLoopError } from './errors.ts';
import { type LedgerEntry, ledgerEntry } from './ledger-entry.ts';
import type { LoopEvent } from './loop-event.ts';
import { nextStep } from './next-step.ts';
import type { ProjectState } from './project-state.ts';
import { transition } from './status-transitions.ts';
import { takeStep } from './take-step.ts';

/** What an event leads to. */
export interface Decision {
  readonly state: ProjectState;
  /** To be carried out once the event is durable; each outcome is an event. */
  readonly effects: readonly Effect[];
  /** Keys of effects under way that must be stopped. */
  readonly aborts: readonly string[];
  readonly entry: LedgerEntry;
}

/** Folds an event into a project's state and says what must be done: the whole of the loop's logic. `state` is undefined before the first event. */
export function decide(state: ProjectState | undefined, event: LoopEvent): Decision {
  const applied = { ...apply(state, event), updated_at: event.at };
  const after = startSteps(applied, event.at);
  return {
    state: after,
    effects: after.inflight.filter((effect) => !state?.inflight.includes(effect)),
    aborts: after.aborting.filter((key) => !state?.aborting.includes(key)),
    entry: ledgerEntry(state, event, after),
  };
}

function apply(state: ProjectState | undefined, event: LoopEvent): ProjectState {
  if (event.kind === 'project.created') {
    if (state === undefined) return createProject(event);
    throw new DevLoopError('journal_damaged', 'a project was created twice');
  }
  if (state === undefined)
    throw new DevLoopError('journal_damaged', `${event.kind} came before the project was created`);
  switch (event.kind) {
    case 'call.completed':
    case 'call.failed':
    case 'call.interrupted':
      return applyCall(state, event);
    case 'unit.tested':
    case 'integration.ran':
    case 'run.interrupted':
      return applyRun(state, event);
    case 'commit.landed':
    case 'attempt.saved':
    case 'write.failed':
    case 'work.moved':
      return applyWrite(state, event);
    case 'project.interrupted':
    case 'boot.scanned':
    case 'recovery.found':
    case 'recovery.chosen':
    case 'recovery.settled':
      return applyRecovery(state, event);
    case 'effect.failed':
      return effectFailed(state, event);
    case 'server.stopping':
      return stopping(state);
    default:
      return applyCommand(state, event);
  }
}

/** Starts all that can be started now. */
function startSteps(state: ProjectState, at: string): ProjectState {
  const step = nextStep(state);
  return step.kind === 'rest' || step.kind === 'wait' ? state : startSteps(takeStep(state, step, at), at);
}

function stopping(state: ProjectState): ProjectState {
  const status = transition(state.status, 'interrupt');
  if (status === undefined) return stopWork(state);
  return stopWork({ ...state, status, reason: 'interrupted', detail: 'the server was stopped' });
}
