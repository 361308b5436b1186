import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextStep, type Step, WRITE_TRIES } from '../../server/domain/next-step.ts';
import type { ProjectState } from '../../server/domain/project-state.ts';
import type { UnitState } from '../../server/domain/unit-state.ts';
import { LoopStory, unitSpec } from '../support/loop-story.ts';

interface Row {
  readonly when: string;
  readonly state: ProjectState;
  readonly step: Step;
}

const fresh = new LoopStory();
fresh.land();
const created = fresh.state;
const atUnits = new LoopStory().toUnits().state;
const atIntegration = new LoopStory().toIntegration();
const integrated = (() => {
  atIntegration.integrated('fail');
  return atIntegration.state;
})();
const idle = (state: ProjectState, change: Partial<ProjectState> = {}): ProjectState => ({
  ...state,
  status: 'running',
  inflight: [],
  ...change,
});
const unitsAre = (...changes: readonly Partial<UnitState>[]): ProjectState =>
  idle(atUnits, {
    units: atUnits.units.map((unit, i) => ({
      ...unit,
      base: undefined,
      status: 'waiting',
      next: 'code',
      ...changes[i],
    })),
  });
const GREEN = { status: 'green', next: 'none' } as const;
const FAILED = { status: 'failed', next: 'none' } as const;
const failedWrite = (tries: number) => {
  const story = new LoopStory().run();
  story.complete('pm');
  return { ...story.state, inflight: [], failed: [{ effect: story.effect('commit'), tries, detail: 'disk full' }] };
};
const blockedBy = { reason: 'refused', detail: 'coder: no' };

const rows: readonly Row[] = [
  { when: 'it was not started', state: created, step: { kind: 'rest' } },
  { when: 'it is paused', state: { ...idle(created), status: 'paused' }, step: { kind: 'rest' } },
  { when: 'it begins', state: idle(created), step: { kind: 'call', role: 'pm' } },
  { when: 'the PM is at work', state: new LoopStory().run().state, step: { kind: 'wait' } },
  {
    when: 'it waits at a gate',
    state: idle(created, { stage: { kind: 'gate', gate: 'prd' } }),
    step: { kind: 'gate', gate: 'prd' },
  },
  {
    when: 'no unit has begun, and one stands on the other',
    state: unitsAre(),
    step: { kind: 'call', role: 'coder', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'what a unit stands on is green',
    state: unitsAre(GREEN),
    step: { kind: 'call', role: 'coder', unit: atUnits.units[1]?.id ?? fail() },
  },
  {
    when: 'a unit has its code',
    state: unitsAre({ next: 'test', base: created.head }),
    step: { kind: 'call', role: 'tester', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'a unit has its tests',
    state: unitsAre({ next: 'verify', base: created.head }),
    step: { kind: 'test', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'a unit was red',
    state: unitsAre({ next: 'save', base: created.head }),
    step: { kind: 'save', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'a unit is green and in no commit',
    state: unitsAre({ next: 'commit', base: created.head }),
    step: { kind: 'commit', unit: atUnits.units[0]?.id ?? fail() },
  },
  { when: 'all units are green', state: unitsAre(GREEN, GREEN), step: { kind: 'integrate' } },
  {
    when: 'a unit failed and the other stands on it',
    state: unitsAre(FAILED),
    step: { kind: 'block', reason: 'unit_failed', detail: 'no attempt was green: store' },
  },
  {
    when: 'the integration cases have run',
    state: idle(integrated),
    step: { kind: 'call', role: 'integrator' },
  },
  {
    when: 'it is ready to ship',
    state: idle(created, { stage: { kind: 'ship' } }),
    step: { kind: 'commit' },
  },
  { when: 'a commit failed once', state: failedWrite(1), step: { kind: 'write_again', key: 'c2-pm' } },
  {
    when: 'a commit failed as often as it may',
    state: failedWrite(WRITE_TRIES),
    step: { kind: 'block', reason: 'git_failed', detail: 'disk full' },
  },
  {
    when: 'something blocks it and nothing is under way',
    state: idle(created, { blocker: blockedBy }),
    step: { kind: 'block', ...blockedBy },
  },
  {
    when: 'something blocks it and a unit is still at work',
    state: { ...atUnits, blocker: blockedBy },
    step: { kind: 'wait' },
  },
  {
    when: 'something blocks it and a green unit is in no commit',
    state: { ...unitsAre({ next: 'commit', base: created.head }), blocker: blockedBy },
    step: { kind: 'commit', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'the budget is spent and a unit has its tests',
    state: {
      ...unitsAre({ next: 'verify', base: created.head }),
      settings: { ...created.settings, budget: { tokens: 1 } },
    },
    step: { kind: 'test', unit: atUnits.units[0]?.id ?? fail() },
  },
  {
    when: 'the budget is spent and only calls are left',
    state: { ...unitsAre(), settings: { ...created.settings, budget: { tokens: 1 } } },
    step: { kind: 'block', reason: 'budget', detail: 'the budget of tokens is spent: 30 of 1' },
  },
];

describe('the next step', () => {
  for (const { when, state, step } of rows) {
    it(`is ${step.kind} when ${when}`, () => {
      assert.deepEqual(nextStep(state), step);
    });
  }

  it('never begins more units than may work side by side', () => {
    const story = new LoopStory({ max_parallel_units: 3 });
    story.units = ['a', 'b', 'c', 'd', 'e'].map((id) => unitSpec(id));
    story.toUnits();
    assert.equal(story.state.inflight.length, 3);
    assert.deepEqual(nextStep(story.state), { kind: 'wait' });
  });

  it('lets a unit whose commit failed wait while another goes on', () => {
    const story = new LoopStory();
    story.units = [unitSpec('a'), unitSpec('b')];
    story.toUnits();
    story.complete('coder', {}, 'a');
    story.complete('tester', {}, 'a');
    story.tested('green');
    story.tell({ kind: 'write.failed', key: story.effect('commit').key, code: 'disk_full', detail: 'disk full' });
    assert.deepEqual(
      story.state.inflight.map(({ kind }) => kind),
      ['call_agent', 'commit'],
      'b goes on, and the commit of a is made again',
    );
  });
});

function fail(): never {
  throw new Error('no unit');
}
