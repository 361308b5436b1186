import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callEffect } from '../../server/domain/call-effect.ts';
import type { CallEffect } from '../../server/domain/effect.ts';
import { ROLES, type Role } from '../../server/domain/roles.ts';
import { LoopStory } from '../support/loop-story.ts';

/** Every call of a course that has all roles in it, by role: the first, and the first of a second round. */
function everyCall(): ReadonlyMap<string, CallEffect> {
  const story = new LoopStory();
  story.units = story.units.slice(0, 1);
  const calls = new Map<string, CallEffect>();
  const note = (role: Role) => {
    const call = story.call(role);
    calls.set(`${role} ${call.round}.${call.attempt}`, call);
  };
  story.run();
  note('pm');
  story.complete('pm');
  story.land();
  note('architect');
  story.complete('architect');
  story.land();
  for (const outcome of ['red', 'green'] as const) {
    note('coder');
    story.complete('coder');
    note('tester');
    story.complete('tester');
    story.tested(outcome);
    if (outcome === 'red') story.save();
    else story.land();
  }
  story.integrated('fail');
  note('integrator');
  story.complete('integrator');
  story.land();
  note('bug-triager');
  story.complete('bug-triager');
  story.land();
  note('coder');
  return calls;
}

describe('an agent call', () => {
  const calls = everyCall();
  const call = (at: string): CallEffect => calls.get(at) ?? assert.fail(`no call ${at}`);

  it('is counted by rounds and attempts, which name it among all others of its role and unit', () => {
    assert.deepEqual(
      [...calls.keys()],
      [
        'pm 1.1',
        'architect 1.1',
        'coder 1.1',
        'tester 1.1',
        'coder 1.2',
        'tester 1.2',
        'integrator 1.1',
        'bug-triager 1.1',
        'coder 2.1',
      ],
    );
  });

  it('of every role may write its own part and its own result, and nothing else', () => {
    for (const { role, key, scope } of calls.values()) {
      assert.ok(scope.includes(`agent-state/calls/${key}/out/**`));
      assert.ok(
        scope.every((pattern) => !pattern.startsWith('timeline') && pattern !== 'project.json'),
        role,
      );
    }
    assert.deepEqual(call('coder 1.1').scope.slice(0, -1), ['units/store/code/**']);
    assert.deepEqual(call('tester 1.1').scope.slice(0, -1), ['units/store/tests/**']);
    assert.deepEqual(call('integrator 1.1').scope.slice(0, -1), []);
    assert.match(call('bug-triager 1.1').scope[0] ?? '', /^integration\/runs\/r-\d+\/triage\.json$/);
  });

  it('of a Coder begins with the task, then knows the red run, and after a triage its reason', () => {
    const about = { role: 'coder', unit: 'store', title: 'the store' };
    assert.deepEqual(call('coder 1.1').input, { ...about, attempt: 1, round: 1 });
    const { input } = call('coder 1.2');
    assert.ok(input.role === 'coder');
    assert.deepEqual([input.attempt, input.last_report?.outcome, input.triage_reason], [2, 'red', undefined]);
    assert.deepEqual(call('coder 2.1').input, { ...about, attempt: 1, round: 2, triage_reason: 'the store forgets' });
  });

  it('of a Tester knows the command that will judge, and not what the last run said', () => {
    const input = {
      role: 'tester',
      unit: 'store',
      title: 'the store',
      attempt: 2,
      round: 1,
      test_command: ['node', '--test'],
    };
    assert.deepEqual(call('tester 1.2').input, input);
  });

  it('of Integrator and BugTriager has the report of the run that the server made', () => {
    for (const at of ['integrator 1.1', 'bug-triager 1.1']) {
      const { input } = call(at);
      assert.ok(input.role === 'integrator' || input.role === 'bug-triager');
      assert.deepEqual([input.round, input.report.outcome, input.report.passed], [1, 'fail', 1]);
    }
  });

  it('of a unit can run its tests, no other can', () => {
    for (const { role, test_command } of calls.values()) {
      assert.equal(test_command !== undefined, role === 'coder' || role === 'tester', role);
    }
  });

  it('starts from the files as they are, but for a later attempt', () => {
    const later = [...calls].filter(([, { from }]) => from !== undefined).map(([at]) => at);
    assert.deepEqual(later, ['coder 1.2']);
  });

  it('is made by the driver that the team names for the role, else by its default', () => {
    const story = new LoopStory();
    const model = { driver: 'model', base_url: 'http://localhost:1', model: 'm' } as const;
    const state = { ...story.state, team: { default: { driver: 'recorded' }, roles: { pm: model } } } as const;
    assert.equal(callOf(state).team.driver, 'model');
    assert.equal(callOf({ ...state, team: { default: { driver: 'recorded' } } }).team.driver, 'recorded');
  });

  it('has the limits of the settings', () => {
    const story = new LoopStory({ limits: { wall_ms: 5000, idle_ms: 2000, test_ms: 3000 } }).run();
    const { limits, test_ms } = story.call('pm');
    assert.deepEqual([limits.wall_ms, limits.idle_ms, test_ms], [5000, 2000, 3000]);
  });

  it('is there for every role', () => {
    const roles = new Set([...calls.values()].map(({ role }) => role));
    assert.deepEqual([...roles].sort(), [...ROLES].sort());
  });
});

const callOf = (state: LoopStory['state']): CallEffect => callEffect(state, 'pm', undefined);
