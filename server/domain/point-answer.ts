import type { Point } from './point.ts';
import { withoutUndefined } from './without-undefined.ts';

/** A point as programs and people are told of it: without the lists that only a restore needs. */
export type PointAnswer = ReturnType<typeof pointAnswer>;

export function pointAnswer(point: Point) {
  const { id, phase, reason, actor, task_id, run_id, ts, noop, complete, counts, left_out, nested, commit } = point;
  const { turn, name, pinned } = point;
  return withoutUndefined({
    id,
    phase,
    reason,
    actor,
    task_id,
    run_id,
    turn,
    name,
    pinned,
    ts,
    noop,
    complete,
    counts,
    left_out,
    nested,
    commit,
  });
}
