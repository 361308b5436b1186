import { logSection, withSection } from './coder-log.ts';
import type { RunOutcome } from './loop-event.ts';
import type { ProjectState, RunState } from './project-state.ts';
import { withUnit } from './project-state.ts';
import { takeInflight } from './take-inflight.ts';
import type { UnitState } from './unit-state.ts';

/** Folds the outcome of a run that the server made. An interrupted one is made again. */
export function applyRun(state: ProjectState, event: RunOutcome & { readonly at: string }): ProjectState {
  switch (event.kind) {
    case 'unit.tested':
      return unitTested(state, event);
    case 'integration.ran':
      return integrationRan(state, event);
    case 'run.interrupted':
      return takeInflight(state, event.key, 'test_unit', 'run_integration').rest;
  }
}

function unitTested(
  state: ProjectState,
  event: Extract<RunOutcome, { kind: 'unit.tested' }> & { readonly at: string },
): ProjectState {
  const { effect, rest } = takeInflight(state, event.key, 'test_unit');
  const { run, report, code_tree, tests_tree, at } = event;
  const { outcome, passed, failed, skipped } = report;
  const green = outcome === 'green';
  const judged = (unit: UnitState): Partial<UnitState> => ({
    tested: { run, report, code_tree, tests_tree },
    last_run: run,
    log: withSection(unit.log, logSection(unit, { at, report })),
    ...(green ? { next: 'commit' } : { next: 'save', status: 'red' }),
  });
  const { unit, round, attempt } = effect;
  const total = passed + failed + skipped;
  return withRun(withUnit(rest, unit, judged), {
    run,
    kind: 'unit',
    unit,
    round,
    attempt,
    outcome,
    passed,
    failed,
    total,
    ts: at,
  });
}

function integrationRan(
  state: ProjectState,
  event: Extract<RunOutcome, { kind: 'integration.ran' }> & { readonly at: string },
): ProjectState {
  const { effect, rest, stopping } = takeInflight(state, event.key, 'run_integration');
  if (stopping || rest.stage.kind !== 'integration') return rest;
  const { run, report, at } = event;
  const { outcome, passed, total } = report;
  const about = { run, kind: 'integration', unit: undefined, attempt: undefined, round: effect.round } as const;
  const noted = withRun(rest, { ...about, outcome, passed, failed: total - passed, total, ts: at });
  const bugs = outcome === 'pass' ? noted.bugs.map((bug) => ({ ...bug, state: 'fixed' as const })) : noted.bugs;
  return { ...noted, bugs, stage: { ...rest.stage, run: { run, report } } };
}

function withRun(state: ProjectState, run: RunState): ProjectState {
  return { ...state, runs: [...state.runs, run] };
}
