import { applyEvent } from './apply-event.ts';
import type { Effect } from './effect.ts';
import { type LedgerEntry, ledgerEntry } from './ledger-entry.ts';
import type { LoopEvent } from './loop-event.ts';
import { nextStep } from './next-step.ts';
import type { ProjectState } from './project-state.ts';
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
  const applied = { ...applyEvent(state, event), updated_at: event.at };
  const after = startSteps(applied, event.at);
  return {
    state: after,
    effects: after.inflight.filter((effect) => !state?.inflight.includes(effect)),
    aborts: after.aborting.filter((key) => !state?.aborting.includes(key)),
    entry: ledgerEntry(state, event, after),
  };
}

/** Starts all that can be started now. */
function startSteps(state: ProjectState, at: string): ProjectState {
  const step = nextStep(state);
  return step.kind === 'rest' || step.kind === 'wait' ? state : startSteps(takeStep(state, step, at), at);
}
