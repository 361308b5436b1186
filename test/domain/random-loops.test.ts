import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FAILURE_REASONS } from '../../server/domain/agent-call.ts';
import { commandRefusal } from '../../server/domain/command-refusal.ts';
import { type Decision, decide } from '../../server/domain/decide.ts';
import type { Effect } from '../../server/domain/effect.ts';
import type { Command } from '../../server/domain/loop-event.ts';
import type { ProjectState } from '../../server/domain/project-state.ts';
import { recoveryPlan } from '../../server/domain/recovery-plan.ts';
import { UNIT_OUTCOMES } from '../../server/domain/verdicts.ts';
import { LoopStory, oid, RECORD, unitSpec } from '../support/loop-story.ts';

const CATEGORIES = ['code', 'contract', 'sdd', 'prd', 'test', 'environment'] as const;

/** Ends something under way in one of the ways that it can end; `dice` chooses. */
function endOne(story: LoopStory, effect: Effect, dice: number): void {
  const { key } = effect;
  if (story.state.aborting.includes(key) && dice % 3 > 0) {
    story.tell(
      effect.kind === 'call_agent'
        ? { kind: 'call.interrupted', key: effect.key }
        : { kind: 'run.interrupted', key: effect.key as never },
    );
    return;
  }
  switch (effect.kind) {
    case 'call_agent': {
      const reason = FAILURE_REASONS[dice % (FAILURE_REASONS.length * 4)];
      if (reason !== undefined)
        story.tell({ kind: 'call.failed', key: effect.key, reason, detail: 'no', record: RECORD });
      else if (effect.role === 'bug-triager') {
        const category = CATEGORIES[dice % CATEGORIES.length] ?? 'code';
        story.complete(effect.role, { category });
      } else story.complete(effect.role, {}, effect.unit);
      return;
    }
    case 'test_unit':
      story.tested(dice % 2 === 0 ? 'green' : (UNIT_OUTCOMES[dice % UNIT_OUTCOMES.length] ?? 'red'));
      return;
    case 'run_integration':
      story.integrated(dice % 3 === 0 ? 'pass' : dice % 3 === 1 ? 'fail' : 'environment');
      return;
    case 'commit':
      if (dice % 7 === 0) story.tell({ kind: 'write.failed', key, code: 'git_failed', detail: 'no' });
      else story.land();
      return;
    case 'save_attempt':
      if (dice % 7 === 0) story.tell({ kind: 'write.failed', key, code: 'git_failed', detail: 'no' });
      else story.save();
      return;
    case 'recover':
      story.tell({ kind: 'recovery.settled', action: effect.action, snapshot: effect.snapshot });
  }
}

function command(story: LoopStory, dice: number): Command {
  const failed = story.state.units.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const units = story.state.reason === 'unit_failed' ? failed : [];
  const all: readonly Command[] = [
    { kind: 'run.requested', units, head: oid(1), sandboxed: true },
    { kind: 'run.requested', units, head: oid(1), sandboxed: true },
    { kind: 'run.requested', units, head: oid(1), sandboxed: true },
    { kind: 'pause.requested' },
    { kind: 'resume.requested', head: oid(1), sandboxed: true },
    { kind: 'cancel.requested' },
    { kind: 'gate.approved', gate: 'prd' },
    { kind: 'gate.rejected', gate: 'sdd', note: 'no' },
    { kind: 'feedback.given', text: 'more' },
    { kind: 'sign_off.requested', user: 'ada' },
  ];
  return all[dice % all.length] ?? assert.fail();
}

function checkState(state: ProjectState): void {
  if (state.status === 'running') assert.ok(state.inflight.length > 0, 'what runs has something under way');
  const keys = state.inflight.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'no key is under way twice');
  assert.ok(
    state.aborting.every((key) => keys.includes(key)),
    'only what is under way is being stopped',
  );
  const calls = state.calls.map(({ call }) => call);
  assert.equal(new Set(calls).size, calls.length, 'no call id is used twice');
  assert.notEqual(state.detail, 'no attempt was green: ', 'no project is stuck without a reason');
  const working = state.units.filter(({ base }) => base !== undefined);
  assert.ok(working.length <= state.settings.max_parallel_units);
  for (const { spec, base } of working) {
    if (base === undefined) continue;
    const needs = state.units.filter(({ id }) => spec.depends_on.includes(id));
    assert.ok(needs.every(({ status }) => status !== undefined));
  }
}

describe('any course of events', () => {
  it('leaves a state that holds together, and the same one when it is folded again', () => {
    const course = fc.record({
      gates: fc.record({ prd: fc.boolean(), sdd: fc.boolean() }),
      budget: fc.constantFrom({}, { tokens: 200 }),
      retry_from: fc.constantFrom('previous' as const, 'fresh' as const),
      moves: fc.array(fc.record({ kind: fc.nat(19), dice: fc.nat(9999) }), { minLength: 20, maxLength: 120 }),
    });
    fc.assert(
      fc.property(course, ({ moves, ...settings }) => {
        const story = new LoopStory(settings);
        story.units = [
          unitSpec('store'),
          unitSpec('api', ['store']),
          unitSpec('page'),
          unitSpec('docs', ['api', 'page']),
        ];
        story.land();
        story.tell({ kind: 'run.requested', units: [], head: oid(1), sandboxed: true });
        for (const { kind, dice } of moves) {
          const effect = story.state.inflight[dice % Math.max(1, story.state.inflight.length)];
          if (kind === 19) {
            const head = story.state.head ?? oid(1);
            const status = { dirty: dice % 2 === 0, snapshot: `s${dice}`, files: [] };
            const facts = { head, repaired: [], problems: [], landed: [], saved: [], status };
            for (const happening of recoveryPlan(story.state, facts)) story.tell(happening);
            assert.deepEqual(story.state.inflight, [], 'nothing is under way after a start');
          } else if (story.state.recovery !== undefined && effect === undefined) {
            const { snapshot } = story.state.recovery;
            story.tell({ kind: 'recovery.chosen', action: 'reset_hard', snapshot });
          } else if (kind >= 17 || effect === undefined) {
            const asked = command(story, dice);
            if (commandRefusal(story.state, asked) === undefined) story.tell(asked);
          } else endOne(story, effect, dice);
          checkState(story.state);
        }
        const folded = story.events.reduce<Decision | undefined>(
          (last, event) => decide(last?.state, event),
          undefined,
        );
        assert.deepEqual(folded?.state, story.state);
      }),
      { numRuns: 150 },
    );
  });
});
