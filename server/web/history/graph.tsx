import type { GraphRow } from './graph-lanes.ts';

const LANE = 14;
const HEIGHT = 40;
const MOST = 8;
/** Rows of several lines are higher: what leads on does so down to their edge, where it is cut off. */
const LONG = 600;

/** A row's part of the graph; lanes beyond the eighth share its place. */
export function Graph({ row, side }: { readonly row: GraphRow; readonly side: boolean }) {
  const { lane, up, down, past } = row;
  const x = (at: number): number => (Math.min(at, MOST) + 0.5) * LANE;
  const widest = Math.max(lane, ...up, ...down, ...past.flat());
  const middle = HEIGHT / 2;
  const line = (from: number, y1: number, to: number, y2: number) =>
    `M${x(from)} ${y1}C${x(from)} ${(y1 + y2) / 2} ${x(to)} ${(y1 + y2) / 2} ${x(to)} ${y2}`;
  return (
    <svg class="graph" width={(Math.min(widest, MOST) + 1) * LANE} height={HEIGHT} aria-hidden="true">
      {past.map(([from, to]) => (
        <path key={`p${from}`} class={`lane-${from % 4}`} d={line(from, 0, to, HEIGHT)} />
      ))}
      {up.map((from) => (
        <path key={`u${from}`} class={`lane-${from % 4}`} d={line(from, 0, lane, middle)} />
      ))}
      {down.map((to) => (
        <path key={`d${to}`} class={`lane-${to % 4}`} d={line(lane, middle, to, HEIGHT)} />
      ))}
      {[...new Set([...down, ...past.map(([, to]) => to)])].map((at) => (
        <path key={`b${at}`} class={`lane-${at % 4}`} d={`M${x(at)} ${HEIGHT}V${LONG}`} />
      ))}
      <circle class={side ? 'side' : `dot lane-${lane % 4}`} cx={x(lane)} cy={middle} r="4" />
    </svg>
  );
}
