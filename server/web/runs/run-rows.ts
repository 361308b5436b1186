import type { Call, Run } from '../api/types.ts';

/** A row of the timeline of runs: an agent's call, or a run that the server made to judge it. */
export type RunRow =
  | { readonly kind: 'call'; readonly id: string; readonly ts: string; readonly call: Call }
  | { readonly kind: 'run'; readonly id: string; readonly ts: string; readonly run: Run };

export interface RunFilter {
  readonly role?: string | undefined;
  readonly unit?: string | undefined;
}

/** Calls and runs as one timeline, newest first. A role's calls bring the runs that judged them. */
export function runRows(
  { calls, runs }: { readonly calls: readonly Call[]; readonly runs: readonly Run[] },
  { role, unit }: RunFilter = {},
): readonly RunRow[] {
  const rows: RunRow[] = [
    ...calls
      .filter((call) => (role === undefined || call.role === role) && (unit === undefined || call.unit === unit))
      .map((call) => ({ kind: 'call' as const, id: call.call, ts: call.started_at, call })),
    ...runs
      .filter((run) => (role === undefined || JUDGES[run.kind] === role) && (unit === undefined || run.unit === unit))
      .map((run) => ({ kind: 'run' as const, id: run.run, ts: run.ts, run })),
  ];
  return rows.sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0));
}

const JUDGES: Readonly<Record<Run['kind'], Call['role']>> = { unit: 'tester', integration: 'integrator' };

/** The run that judged a call's work. */
export function runOfCall(call: Call, runs: readonly Run[]): Run | undefined {
  if (call.unit === undefined) return undefined;
  return runs.find(
    ({ unit, round, attempt }) => unit === call.unit && round === call.round && attempt === call.attempt,
  );
}
