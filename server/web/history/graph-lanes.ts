/** A commit as the graph needs it. */
export interface GraphCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** A row of the graph: where the commit stands, and the lines from the row's upper edge to its lower one. */
export interface GraphRow {
  readonly lane: number;
  /** Lanes at the upper edge whose lines end in the commit. */
  readonly up: readonly number[];
  /** Lanes at the lower edge to which lines lead from the commit. */
  readonly down: readonly number[];
  /** Lines that pass by: from a lane at the upper edge to one at the lower. */
  readonly past: readonly (readonly [from: number, to: number])[];
}

/** Lays commits out in lanes, children before parents. A lane is free again when the commit that it leads to was drawn. */
export function graphLanes(commits: readonly GraphCommit[]): readonly GraphRow[] {
  // What each lane leads to; undefined where it is free.
  let lanes: readonly (string | undefined)[] = [];
  return commits.map(({ sha, parents }) => {
    const up = lanes.flatMap((wanted, at) => (wanted === sha ? [at] : []));
    const lane = up[0] ?? freeLane(lanes);
    const next = lanes.map((wanted) => (wanted === sha ? undefined : wanted));
    const down: number[] = [];
    for (const [at, parent] of parents.entries()) {
      const known = next.indexOf(parent);
      // Two lines to one commit go on as one, in the lane further left.
      const chosen = at === 0 && (known < 0 || known > lane) ? lane : known >= 0 ? known : freeLane(next, lane);
      if (known > chosen) next[known] = undefined;
      next[chosen] = parent;
      down.push(chosen);
    }
    const past = lanes.flatMap((wanted, at) =>
      wanted === undefined || wanted === sha ? [] : [[at, next[at] === wanted ? at : next.indexOf(wanted)] as const],
    );
    lanes = next;
    return { lane, up, down, past };
  });
}

function freeLane(lanes: readonly (string | undefined)[], besides = -1): number {
  const free = lanes.findIndex((wanted, at) => wanted === undefined && at !== besides);
  return free >= 0 ? free : Math.max(lanes.length, besides + 1);
}
