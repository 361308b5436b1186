import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { designedUnits, ended, newUnit, nextAttempt, nextRound, takenBack } from '../../server/domain/unit-rounds.ts';
import type { UnitState } from '../../server/domain/unit-state.ts';
import { oid, unitId, unitReport, unitSpec } from '../support/loop-story.ts';

const fresh = newUnit(unitSpec('store'));
const base = oid(1);
const red = { unit: fresh.id, round: 1, attempt: 1 };
const tested = (outcome: 'red' | 'no_tests') =>
  ({ run: 'r-1', report: unitReport(outcome), code_tree: oid(2), tests_tree: oid(3) }) as NonNullable<
    UnitState['tested']
  >;
const working: UnitState = { ...fresh, status: 'testing', base, next: 'verify', last_red: red, tested: tested('red') };
const green: UnitState = { ...fresh, ...ended('green') };

describe('a unit', () => {
  it('begins in round 1 with attempt 1, by a Coder', () => {
    assert.deepEqual(
      [fresh.round, fresh.attempt, fresh.status, fresh.next, fresh.first],
      [1, 1, 'waiting', 'code', 'code'],
    );
  });

  it('has another round with attempt 1, and remembers its last red attempt, its last run and its log', () => {
    const log = [{ round: 1, attempt: 1, text: 'x' }];
    const next = nextRound({ ...working, log, attempt: 3 }, { next: 'test', triage_reason: 'why' });
    assert.deepEqual([next.round, next.attempt, next.status, next.next, next.first], [2, 1, 'waiting', 'test', 'test']);
    assert.deepEqual([next.last_red, next.log, next.triage_reason], [red, log, 'why']);
    assert.deepEqual([next.tested, next.coder, next.base], [undefined, undefined, undefined]);
  });

  it('that has not begun stays in its round', () => {
    assert.equal(nextRound(fresh, { next: 'code', triage_reason: undefined }).round, 1);
  });

  it('in the middle of its work is brought back to what the round begins with, a green or failed one stays as it is', () => {
    const again = (unit: UnitState) => nextRound(unit, { next: 'code', triage_reason: undefined }).again;
    assert.deepEqual([again(working), again(green), again({ ...fresh, ...ended('failed') })], [true, false, false]);
  });

  it('has its next attempt begun by the Coder, or by the Tester whose call or tests were at fault', () => {
    const fault = (role: 'coder' | 'tester') => ({ role, reason: 'bad_output', detail: '' }) as const;
    const first = (unit: UnitState) => nextAttempt(unit).first;
    assert.equal(first(working), 'code');
    assert.equal(first({ ...working, tested: tested('no_tests') }), 'test');
    assert.equal(first({ ...working, tested: undefined, failure: fault('coder') }), 'code');
    assert.equal(first({ ...working, tested: undefined, failure: fault('tester') }), 'test');
    assert.deepEqual([nextAttempt(working).attempt, nextAttempt(working).tested], [2, undefined]);
  });

  it('that is green forgets what led there, a failed one keeps it for its next round', () => {
    const report = unitReport('red');
    const before = { ...working, last_report: report, triage_reason: 'why' };
    const won = { ...before, ...ended('green') };
    assert.deepEqual(
      [won.last_red, won.last_report, won.triage_reason, won.base],
      [undefined, undefined, undefined, undefined],
    );
    const lost = { ...before, ...ended('failed') };
    assert.deepEqual([lost.last_red, lost.last_report, lost.base, lost.next], [red, report, undefined, 'none']);
  });

  it('is taken back to the first call of its attempt, where it has begun', () => {
    const back = takenBack({ ...working, first: 'test', attempt: 2 });
    assert.deepEqual([back.next, back.again, back.attempt, back.base, back.tested], ['test', true, 2, base, undefined]);
    assert.equal(takenBack(green), green);
    assert.equal(takenBack(fresh), fresh);
  });
});

describe('units after a design', () => {
  const specs = [unitSpec('store'), unitSpec('api', ['store'])];
  const [store, api] = specs.map((spec) => ({ ...newUnit(spec), ...ended('green') }));
  assert.ok(store && api);
  const after = (affected: readonly string[] | undefined, units: readonly UnitState[] = [store, api], next = specs) =>
    designedUnits(units, { specs: next, affected: affected?.map(unitId), reason: 'why' }).map(
      ({ id, round, status, triage_reason }) =>
        [id, round, status, triage_reason].filter((word) => word !== undefined).join(' '),
    );

  it('all begin another round where the Architect names none', () => {
    assert.deepEqual(after(undefined), ['store 2 waiting why', 'api 2 waiting why']);
  });

  it('begin another round where they are named', () => {
    assert.deepEqual(after(['api']), ['store 1 green', 'api 2 waiting why']);
    assert.deepEqual(after([]), ['store 1 green', 'api 1 green']);
  });

  it('begin another round where they have changed or had failed', () => {
    const changed = [{ ...unitSpec('store'), test_command: ['npm', 'test'] }, unitSpec('api', ['store'])];
    assert.deepEqual(after([], [store, api], changed), ['store 2 waiting why', 'api 1 green']);
    const failed = { ...api, ...ended('failed') };
    assert.deepEqual(after([], [store, failed]), ['store 1 green', 'api 2 waiting why']);
  });

  it('are new in round 1, and gone where the Architect dropped them; the order is its', () => {
    const next = [unitSpec('page'), unitSpec('api')];
    assert.deepEqual(after([], [store, { ...api, spec: unitSpec('api') }], next), ['page 1 waiting', 'api 1 green']);
  });

  it('go on in the middle of their work where nothing about them has changed', () => {
    const atWork: UnitState = { ...newUnit(unitSpec('store')), status: 'coding', base, next: 'test' };
    const [unit] = designedUnits([atWork], { specs: [unitSpec('store')], affected: [], reason: undefined });
    assert.equal(unit, atWork);
  });
});
