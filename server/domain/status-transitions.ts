import type { ProjectStatus } from './project.ts';

export const TRANSITION_CAUSES = [
  'run',
  'pause',
  'resume',
  'cancel',
  'approve',
  'reject',
  'feedback',
  'sign_off',
  'abandon',
  'gate',
  'block',
  'ship',
  'interrupt',
  'damage',
] as const;
/** The first nine are a person's, the others the loop's own. */
export type TransitionCause = (typeof TRANSITION_CAUSES)[number];

type Row = Readonly<Partial<Record<ProjectStatus, ProjectStatus>>>;

const ANY_OPEN = ['created', 'running', 'waiting_approval', 'paused', 'blocked', 'cancelled'] as const;
const STOPPED = ['paused', 'blocked', 'cancelled'] as const;

/** The one table of transitions: what is not in it is refused. docs/loop.md shows it. */
export const TRANSITIONS: Readonly<Record<TransitionCause, Row>> = {
  run: to('running', ['created', ...STOPPED]),
  pause: to('paused', ['running', 'waiting_approval']),
  resume: to('running', ['paused']),
  cancel: to('cancelled', ['created', 'running', 'waiting_approval', 'paused', 'blocked']),
  approve: to('running', ['waiting_approval']),
  reject: to('running', ['waiting_approval']),
  feedback: {
    ...to('running', ['running', 'waiting_approval', 'blocked', 'shipped']),
    created: 'created',
    paused: 'paused',
    cancelled: 'cancelled',
  },
  sign_off: to('shipped-final', ['shipped']),
  abandon: to('abandoned', [...ANY_OPEN, 'shipped']),
  gate: to('waiting_approval', ['running']),
  block: to('blocked', ['running']),
  ship: to('shipped', ['running', ...STOPPED]),
  interrupt: to('paused', ['running']),
  damage: to('blocked', ANY_OPEN),
};

/** The status that a cause leads to; undefined where it is not allowed from here. */
export function transition(from: ProjectStatus, cause: TransitionCause): ProjectStatus | undefined {
  return TRANSITIONS[cause][from];
}

function to(status: ProjectStatus, from: readonly ProjectStatus[]): Row {
  return Object.fromEntries(from.map((one) => [one, status]));
}
