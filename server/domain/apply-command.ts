import { unheldBudget } from './budgets.ts';
import { causeOf } from './command-refusal.ts';
import { isAbortable } from './effect.ts';
import type { UnitId } from './ids.ts';
import type { Command, EventOf, Surroundings } from './loop-event.ts';
import { NEW_TASK, type ProjectState, type Task, withTask } from './project-state.ts';
import { transition } from './status-transitions.ts';
import { underWay } from './take-step.ts';
import { nextRound } from './unit-rounds.ts';
import { closingCommit } from './write-effect.ts';

/** Folds what a person asked for and was not refused. */
export function applyCommand(state: ProjectState, command: Command): ProjectState {
  switch (command.kind) {
    case 'run.requested':
      return foundIn(moved(goOn(state, command.units), command), command);
    case 'resume.requested':
      return foundIn(moved(unblocked(state), command), command);
    case 'pause.requested':
    case 'cancel.requested':
      return stopWork(moved(state, command));
    case 'gate.approved':
      return approved(moved(state, command, { reason: 'approved', detail: command.note }), command);
    case 'gate.rejected':
      return rejected(moved(state, command, { reason: 'rejected', detail: command.note }), command);
    case 'feedback.given':
      return withFeedback(moved(state, command, { reason: 'feedback', detail: command.text }), command.text);
    case 'sign_off.requested':
      return underWay(state, closingCommit(state, { kind: 'sign_off', user: command.user }));
    case 'abandon.requested':
      return abandoning(state, command.reason);
  }
}

/** The state with everything that can be stopped told to stop. */
export function stopWork(state: ProjectState): ProjectState {
  return { ...state, aborting: state.inflight.filter(isAbortable).map(({ key }) => key) };
}

/** The server ends: a running project is paused until somebody runs it again. */
export function serverStopping(state: ProjectState): ProjectState {
  const status = transition(state.status, 'interrupt');
  if (status === undefined) return stopWork(state);
  return stopWork({ ...state, status, reason: 'interrupted', detail: 'the server was stopped' });
}

const foundIn = (state: ProjectState, { head, sandboxed }: Surroundings): ProjectState => ({
  ...state,
  head,
  sandboxed,
});

function moved(
  state: ProjectState,
  command: Command,
  { reason, detail }: { readonly reason?: string; readonly detail?: string | undefined } = {},
): ProjectState {
  return { ...state, status: transition(state.status, causeOf(command)) ?? state.status, reason, detail };
}

/** A person lets a project go on: what had blocked it gets another chance, and a spent budget is granted once more. */
function goOn(state: ProjectState, units: readonly UnitId[]): ProjectState {
  const { granted, spent, round, reason } = state;
  const isBlocked = state.status === 'blocked';
  const unpriced = granted.unpriced || unheldBudget(state) !== undefined;
  const budget = isBlocked && reason === 'budget' ? { tokens: spent.tokens, cost: spent.cost, unpriced } : {};
  const rounds = isBlocked && reason === 'integration_failed' ? { rounds: round } : {};
  return {
    ...withTask(unblocked(state), () => ({ tries: 0 })),
    units: state.units.map((unit) =>
      units.includes(unit.id) ? nextRound(unit, { next: 'code', triage_reason: undefined }) : unit,
    ),
    environment_rounds: 0,
    granted: { ...granted, ...budget, ...rounds },
  };
}

function unblocked(state: ProjectState): ProjectState {
  return { ...state, blocker: undefined, failed: state.failed.map((write) => ({ ...write, tries: 0 })) };
}

function approved(state: ProjectState, { gate, note }: EventOf<'gate.approved'>): ProjectState {
  if (gate === 'sdd') return { ...state, stage: { kind: 'units' } };
  return { ...state, stage: { kind: 'sdd', mode: 'generate', affected: [], note, task: NEW_TASK } };
}

function rejected(state: ProjectState, { gate, note }: EventOf<'gate.rejected'>): ProjectState {
  if (gate === 'sdd') return { ...state, stage: { kind: 'sdd', mode: 'generate', affected: [], note, task: NEW_TASK } };
  const feedback = note === undefined ? state.feedback : [...state.feedback, note];
  return { ...state, feedback, stage: { kind: 'prd', triage_reason: undefined, task: NEW_TASK } };
}

/** Goes back to the PM with what was said; work under way is overtaken. */
function withFeedback(state: ProjectState, text: string): ProjectState {
  const begun = state.stage.kind === 'prd' ? state.stage.task : NEW_TASK;
  const task: Task = { ...NEW_TASK, base: begun.base, again: begun.base !== undefined };
  const integrated = state.runs.some(({ kind, round }) => kind === 'integration' && round === state.round);
  const next = {
    ...unblocked(state),
    feedback: [...state.feedback, text],
    stage: { kind: 'prd', triage_reason: undefined, task } as const,
    ...(integrated && { round: state.round + 1, granted: { ...state.granted, rounds: state.round } }),
  };
  return stopWork(next);
}

/** Nothing new is begun; the status follows when the commit has landed. */
function abandoning(state: ProjectState, reason: string): ProjectState {
  const status = transition(state.status, 'pause') ?? state.status;
  return underWay(stopWork({ ...state, status }), closingCommit(state, { kind: 'abandon', reason }));
}
