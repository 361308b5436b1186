import type { Attempt, Call, Run } from '../api/types.ts';

/** One attempt at a unit, red or green. */
export interface UnitTry {
  readonly round: number;
  readonly attempt: number;
  readonly verdict: string;
  readonly run?: string;
  readonly sha?: string;
  /** The name by which it can be compared. */
  readonly rev?: string;
}

export interface TryFacts {
  /** Those that did not come to main. */
  readonly attempts: readonly Attempt[];
  readonly runs: readonly Run[];
  readonly calls: readonly Call[];
}

/** Every attempt at a unit, oldest first: those kept beside main, and those that are on it. */
export function unitTries(unit: string, { attempts, runs, calls }: TryFacts): readonly UnitTry[] {
  const tries = new Map<string, UnitTry>();
  for (const { round, attempt, verdict, sha, run } of attempts) {
    const rev = `attempts/${unit}/${round}/${attempt}`;
    tries.set(`${round} ${attempt}`, { round, attempt, verdict, sha, rev, ...(run !== undefined && { run }) });
  }
  for (const run of runs) {
    const { round, attempt, outcome } = run;
    if (run.unit !== unit || attempt === undefined) continue;
    const known = tries.get(`${round} ${attempt}`);
    if (known?.run !== undefined) continue;
    const sha =
      known?.sha ??
      calls.findLast((call) => call.unit === unit && call.round === round && call.attempt === attempt)?.sha;
    tries.set(`${round} ${attempt}`, {
      round,
      attempt,
      verdict: outcome,
      ...(sha && { sha, rev: sha }),
      ...known,
      run: run.run,
    });
  }
  return [...tries.values()].sort((a, b) => a.round - b.round || a.attempt - b.attempt);
}
