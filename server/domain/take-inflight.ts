import type { Effect } from './effect.ts';
import { DevLoopError } from './errors.ts';
import type { ProjectState } from './project-state.ts';

/** An effect that has ended, and the state without it. */
export interface Taken<Kind extends Effect['kind']> {
  readonly effect: Extract<Effect, { kind: Kind }>;
  readonly rest: ProjectState;
  /** It had been told to stop. */
  readonly stopping: boolean;
}

/** Takes an effect out of those under way; an outcome of what is not under way is a fault of the journal's. */
export function takeInflight<Kind extends Effect['kind']>(
  state: ProjectState,
  key: string,
  ...kinds: readonly Kind[]
): Taken<Kind> {
  const effect = state.inflight.find((one) => one.key === key);
  if (effect === undefined || !isOneOf(effect, kinds)) {
    throw new DevLoopError('journal_damaged', `an outcome of ${key}, which is not under way`);
  }
  const inflight = state.inflight.filter((one) => one !== effect);
  const aborting = state.aborting.filter((one) => one !== key);
  return { effect, rest: { ...state, inflight, aborting }, stopping: aborting.length < state.aborting.length };
}

function isOneOf<Kind extends Effect['kind']>(
  effect: Effect,
  kinds: readonly Kind[],
): effect is Extract<Effect, { kind: Kind }> {
  return kinds.some((kind) => kind === effect.kind);
}
