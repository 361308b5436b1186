import type { Point, Turn } from '../api/types.ts';

/** A row of a workspace's time line: a turn with its points before and after, or a point of its own. */
export type TimeRow =
  | { readonly kind: 'turn'; readonly id: string; readonly ts: string; readonly turn: Turn }
  | {
      readonly kind: 'point';
      readonly id: string;
      readonly ts: string;
      readonly point: Point;
      /** The point before it in time. */
      readonly before?: string;
    };

/** Turns and the points that belong to none, newest first. */
export function timeRows(points: readonly Point[], turns: readonly Turn[]): readonly TimeRow[] {
  const inTurns = new Set(turns.flatMap(({ pre, post }) => [pre.id, ...(post === undefined ? [] : [post.id])]));
  const sorted = points.toSorted(newestFirst);
  const rows: TimeRow[] = [
    ...turns.map((turn) => ({ kind: 'turn' as const, id: turn.turn, ts: turn.pre.ts, turn })),
    ...sorted.flatMap((point, at): readonly TimeRow[] => {
      const before = sorted[at + 1]?.id;
      if (inTurns.has(point.id)) return [];
      return [{ kind: 'point', id: point.id, ts: point.ts, point, ...(before !== undefined && { before }) }];
    }),
  ];
  return rows.sort(newestFirst);
}

const newestFirst = (a: { readonly ts: string }, b: { readonly ts: string }): number =>
  a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0;
