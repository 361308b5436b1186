import { isClosing } from './effect.ts';
import { DevLoopError } from './errors.ts';
import type { Command, EventOf } from './loop-event.ts';
import type { ProjectStatus } from './project.ts';
import { type ProjectState, unitState } from './project-state.ts';
import { type TransitionCause, transition } from './status-transitions.ts';

const CAUSE: Readonly<Record<Command['kind'], TransitionCause>> = {
  'run.requested': 'run',
  'pause.requested': 'pause',
  'resume.requested': 'resume',
  'cancel.requested': 'cancel',
  'gate.approved': 'approve',
  'gate.rejected': 'reject',
  'feedback.given': 'feedback',
  'sign_off.requested': 'sign_off',
  'abandon.requested': 'abandon',
};

/** The row of the transition table that a command goes by. */
export function causeOf(command: Command): TransitionCause {
  return CAUSE[command.kind];
}

/** Why a command cannot be taken now; undefined where it can. */
export function commandRefusal(state: ProjectState, command: Command): DevLoopError | undefined {
  const cause = causeOf(command);
  if (state.recovery !== undefined && cause !== 'pause' && cause !== 'cancel') return recoveryPending(state);
  const starts = cause === 'run' || cause === 'resume';
  if (starts && state.status === 'running') {
    return new DevLoopError('already_running', `project ${state.pid} is running`);
  }
  if (transition(state.status, cause) === undefined) return badState(state, cause);
  if (state.inflight.some((effect) => effect.kind === 'commit' && isClosing(effect.purpose)))
    return new DevLoopError('busy', `project ${state.pid} is being closed`);
  if (command.kind === 'gate.approved' || command.kind === 'gate.rejected') return gateRefusal(state, command.gate);
  return command.kind === 'run.requested' ? runRefusal(state, command) : undefined;
}

function recoveryPending(state: ProjectState): DevLoopError {
  return new DevLoopError('recovery_pending', `project ${state.pid} has files that are in no commit since a crash`, {
    data: { snapshot: state.recovery?.snapshot },
    hint: 'Choose commit_as_wip, reset_hard or manual_inspect first.',
  });
}

const NEXT: Readonly<Record<ProjectStatus, string>> = {
  created: 'Run it first.',
  running: 'Pause or cancel it first.',
  waiting_approval: 'Approve or reject what it waits for.',
  paused: 'Resume it.',
  blocked: 'Run it, or give feedback.',
  cancelled: 'Run it again.',
  shipped: 'Sign it off, or give feedback for another revision.',
  'shipped-final': 'It is signed off.',
  abandoned: 'It is abandoned.',
};

/** What a person can do with a project of this status. */
export function nextForPerson(status: ProjectStatus): string {
  return NEXT[status];
}

function badState(state: ProjectState, cause: TransitionCause): DevLoopError {
  return new DevLoopError('bad_state', `${cause} is not possible while project ${state.pid} is ${state.status}`, {
    data: { status: state.status },
    hint: NEXT[state.status],
  });
}

function gateRefusal(state: ProjectState, gate: string): DevLoopError | undefined {
  if (state.stage.kind === 'gate' && state.stage.gate === gate) return undefined;
  return new DevLoopError('bad_state', `project ${state.pid} does not wait at the gate ${gate}`, {
    data: { status: state.status },
  });
}

function runRefusal(state: ProjectState, { units }: EventOf<'run.requested'>): DevLoopError | undefined {
  for (const id of units) {
    const unit = unitState(state, id);
    if (unit === undefined) return new DevLoopError('unit_not_found', `project ${state.pid} has no unit ${id}`);
    if (unit.status !== 'failed') {
      return new DevLoopError('bad_state', `unit ${id} has not failed`, { data: { status: unit.status } });
    }
  }
  if (state.reason !== 'unit_failed' || state.status !== 'blocked' || units.length > 0) return undefined;
  const failed = state.units.filter(({ status }) => status === 'failed').map(({ id }) => id);
  return new DevLoopError('bad_state', `no attempt was green: ${failed.join(', ')}`, {
    data: { units: failed },
    hint: `Run with {"units": ${JSON.stringify(failed)}} to grant them a new round.`,
  });
}
