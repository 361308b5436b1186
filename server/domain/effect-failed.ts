import type { EventOf } from './loop-event.ts';
import { type ProjectState, withTask, withUnit } from './project-state.ts';
import { takeInflight } from './take-inflight.ts';

/**
 * Folds the failure of an effect that could not be carried out (a full disk, a broken vault): nothing of it counts, and the
 * project is blocked until a person lets it go on, when it is done again.
 */
export function effectFailed(state: ProjectState, { key, code, detail }: EventOf<'effect.failed'>): ProjectState {
  const { effect, rest, stopping } = takeInflight(state, key, 'call_agent', 'test_unit', 'run_integration', 'recover');
  const blocked = stopping ? rest : { ...rest, blocker: { reason: code, detail } };
  if (effect.kind === 'recover') return rest;
  if (effect.kind !== 'call_agent') return blocked;
  const calls = blocked.calls.map((call) =>
    call.call === key ? { ...call, status: 'interrupted' as const, detail } : call,
  );
  const noted = { ...blocked, calls };
  const again = () => ({ again: true });
  return effect.unit === undefined ? withTask(noted, again) : withUnit(noted, effect.unit, again);
}
