import type { FailureReason } from './agent-call.ts';
import type { Role } from './roles.ts';

/**
 * What a failed call leads to: `retry` makes it again (a unit's attempt is used up, other roles have `CALL_TRIES`), `block` stops
 * the project until a person runs it again, `stop` pauses it.
 */
export type Reaction = 'retry' | 'block' | 'stop';

/** Calls of PM, Architect, Integrator and BugTriager for one piece of work: the first, and two more. */
export const CALL_TRIES = 3;

const RETRY = everyRole('retry');
/** Another call would end the same way: the team, its budget or its recording must change first. */
const BLOCK = everyRole('block');
const STOP = everyRole('stop');

/** reason × role, exhaustive; docs/loop.md shows it. */
export const RETRY_POLICY: Readonly<Record<FailureReason, Readonly<Record<Role, Reaction>>>> = {
  agent_error: RETRY,
  bad_output: RETRY,
  no_change: RETRY,
  timeout_idle: RETRY,
  timeout_wall: RETRY,
  output_limit: RETRY,
  budget: BLOCK,
  cancelled: STOP,
  scope_violation: RETRY,
  vault_tampered: RETRY,
  refused: BLOCK,
  not_started: BLOCK,
  replay_diverged: BLOCK,
};

export function reactionTo(reason: FailureReason, role: Role): Reaction {
  return RETRY_POLICY[reason][role];
}

function everyRole(reaction: Reaction): Readonly<Record<Role, Reaction>> {
  return {
    pm: reaction,
    architect: reaction,
    coder: reaction,
    tester: reaction,
    integrator: reaction,
    'bug-triager': reaction,
  };
}
