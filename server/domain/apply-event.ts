import { applyCall } from './apply-call.ts';
import { applyCommand, serverStopping } from './apply-command.ts';
import { applyRecovery } from './apply-recovery.ts';
import { applyRun } from './apply-run.ts';
import { applyWrite } from './apply-write.ts';
import { createProject } from './create-project.ts';
import { effectFailed } from './effect-failed.ts';
import { DevLoopError } from './errors.ts';
import type { LoopEvent } from './loop-event.ts';
import type { ProjectState } from './project-state.ts';

/** Folds an event into a state; what follows from it is not begun yet. */
export function applyEvent(state: ProjectState | undefined, event: LoopEvent): ProjectState {
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
    case 'secrets.found':
    case 'vault.mended':
      return state;
    case 'server.stopping':
      return serverStopping(state);
    default:
      return applyCommand(state, event);
  }
}
