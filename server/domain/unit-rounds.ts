import type { UnitSpec } from './agent-results.ts';
import { parseUnitId, type UnitId } from './ids.ts';
import type { UnitState } from './unit-state.ts';

interface Reset {
  readonly next: 'code' | 'test';
  readonly triage_reason: string | undefined;
}

/** A unit that has not been worked on. */
export function newUnit(spec: UnitSpec): UnitState {
  return {
    spec,
    id: parseUnitId(spec.id),
    status: 'waiting',
    round: 1,
    attempt: 1,
    next: 'code',
    first: 'code',
    again: false,
    base: undefined,
    last_red: undefined,
    last_report: undefined,
    triage_reason: undefined,
    coder: undefined,
    tester: undefined,
    tested: undefined,
    failure: undefined,
    last_run: undefined,
    log: [],
  };
}

/** A unit at the start of another round. Work of an unfinished one gives way to what the round starts from. */
export function nextRound(unit: UnitState, { next, triage_reason }: Reset): UnitState {
  const untouched = unit.status === 'waiting' && unit.base === undefined;
  return {
    ...newUnit(unit.spec),
    round: untouched ? unit.round : unit.round + 1,
    next,
    first: next,
    again: unit.base !== undefined,
    last_red: unit.last_red,
    last_report: unit.last_report,
    triage_reason,
    last_run: unit.last_run,
    log: unit.log,
  };
}

/** A unit at the start of its next attempt: the role whose call or tests failed begins it. */
export function nextAttempt(unit: UnitState): Partial<UnitState> {
  const testerAgain = unit.failure?.role === 'tester' || unit.tested?.report.outcome === 'no_tests';
  const first = testerAgain ? 'test' : 'code';
  return {
    attempt: unit.attempt + 1,
    next: first,
    first,
    again: false,
    tester: undefined,
    tested: undefined,
    failure: undefined,
  };
}

/** A unit whose round has ended: it holds nothing of the work under way. */
export function ended(status: 'green' | 'failed'): Partial<UnitState> {
  const done = {
    status,
    next: 'none',
    again: false,
    base: undefined,
    tester: undefined,
    tested: undefined,
    failure: undefined,
  } as const;
  if (status === 'failed') return done;
  return { ...done, last_red: undefined, last_report: undefined, triage_reason: undefined };
}

/** A unit taken back to the first call of its attempt, whose work is lost; others stay as they are. */
export function takenBack(unit: UnitState): UnitState {
  if (unit.base === undefined) return unit;
  return {
    ...unit,
    status: 'waiting',
    next: unit.first,
    again: true,
    tester: undefined,
    tested: undefined,
    failure: undefined,
  };
}

/**
 * The units after an Architect's work, in its order. Those that it names, that are new or changed, and those that failed begin a
 * round; without names (`affected` undefined) all do. Units that it dropped are gone.
 */
export function designedUnits(
  units: readonly UnitState[],
  design: {
    readonly specs: readonly UnitSpec[];
    readonly affected: readonly UnitId[] | undefined;
    readonly reason: string | undefined;
  },
): readonly UnitState[] {
  const { specs, affected, reason } = design;
  return specs.map((spec) => {
    const unit = units.find(({ id }) => id === spec.id);
    if (unit === undefined) return newUnit(spec);
    const stays = affected !== undefined && !affected.includes(unit.id) && unit.status !== 'failed';
    if (stays && JSON.stringify(unit.spec) === JSON.stringify(spec)) return unit;
    return { ...nextRound(unit, { next: 'code', triage_reason: reason }), spec };
  });
}
