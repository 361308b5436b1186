import type { List, Point, Turn } from '../api/types.ts';

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

/**
 * Turns and the points that belong to none, newest first, as far back as both lists reach: of what is older than the last of a
 * list that goes on, one of the two is not known yet.
 */
export function timeRows(points: List<Point>, turns: List<Turn>): readonly TimeRow[] {
  const inTurns = new Set(turns.items.flatMap(({ pre, post }) => [pre.id, ...(post === undefined ? [] : [post.id])]));
  const sorted = points.items.toSorted(newestFirst);
  const rows: TimeRow[] = [
    ...turns.items.map((turn) => ({ kind: 'turn' as const, id: turn.turn, ts: turn.pre.ts, turn })),
    ...sorted.flatMap((point, at): readonly TimeRow[] => {
      const before = sorted[at + 1]?.id;
      if (inTurns.has(point.id)) return [];
      return [{ kind: 'point', id: point.id, ts: point.ts, point, ...(before !== undefined && { before }) }];
    }),
  ];
  const [reach = ''] = [
    points.next === undefined ? '' : (sorted.at(-1)?.ts ?? ''),
    turns.next === undefined ? '' : (turns.items.at(-1)?.pre.ts ?? ''),
  ]
    .sort()
    .reverse();
  return rows.filter(({ ts }) => ts >= reach).sort(newestFirst);
}

const newestFirst = (a: { readonly ts: string }, b: { readonly ts: string }): number =>
  a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0;
