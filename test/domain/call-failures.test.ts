import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAILURE_REASONS, type FailureReason } from '../../server/domain/agent-call.ts';
import { CALL_TRIES, RETRY_POLICY, reactionTo } from '../../server/domain/retry-policy.ts';
import { ROLES, type Role } from '../../server/domain/roles.ts';
import { LoopStory } from '../support/loop-story.ts';

/** A story at the point where a role is at work. */
function at(role: Role): LoopStory {
  const story = new LoopStory();
  switch (role) {
    case 'pm':
      return story.run();
    case 'architect':
      story.run().complete('pm');
      story.land();
      return story;
    case 'coder':
      return story.toUnits();
    case 'tester':
      story.toUnits().complete('coder');
      return story;
    case 'integrator':
      story.toIntegration().integrated('fail');
      return story;
    case 'bug-triager':
      story.toIntegration().integrated('fail');
      story.complete('integrator');
      story.land();
      return story;
  }
}

function checkRetry(role: Role, reason: FailureReason): void {
  const story = at(role);
  const first = story.call(role);
  story.fail(role, reason);
  if (role === 'coder' || role === 'tester') {
    const { verdict } = story.effect('save_attempt');
    assert.equal(verdict, 'failed', 'its work is kept as an attempt');
    story.save();
    const again = story.call(role);
    assert.deepEqual([again.attempt, again.round], [2, 1], 'the attempt is used up, and the same role begins the next');
    return;
  }
  for (let i = 1; i < CALL_TRIES; i++) {
    assert.deepEqual([story.call(role).round, story.call(role).attempt], [first.round, first.attempt + i]);
    story.fail(role, reason);
  }
  assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'call_failed']);
  story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
  assert.equal(story.call(role).attempt, 1, 'a person lets it try again');
}

function checkBlock(role: Role, reason: FailureReason): void {
  const story = at(role);
  const { round, attempt } = story.call(role);
  story.fail(role, reason);
  assert.deepEqual(
    [story.state.status, story.state.reason, story.state.detail],
    ['blocked', reason, `${role}: no luck`],
  );
  story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
  const again = story.call(role);
  assert.deepEqual([again.round, again.attempt], [round, attempt], 'no attempt is used up');
}

function checkStop(role: Role, reason: FailureReason): void {
  const story = at(role);
  const { round, attempt } = story.call(role);
  story.fail(role, reason);
  assert.deepEqual([story.state.status, story.state.reason], ['paused', 'cancelled']);
  story.tell({ kind: 'resume.requested', head: story.state.head ?? assert.fail(), sandboxed: true });
  const again = story.call(role);
  assert.deepEqual([again.round, again.attempt], [round, attempt], 'no attempt is used up');
}

const CHECKS = { retry: checkRetry, block: checkBlock, stop: checkStop } as const;

describe('a failed call', () => {
  for (const reason of FAILURE_REASONS) {
    for (const role of ROLES) {
      const reaction = reactionTo(reason, role);
      it(`of ${role} because of ${reason} leads to ${reaction}`, () => CHECKS[reaction](role, reason));
    }
  }

  it('has a reaction for each reason and role', () => {
    for (const reason of FAILURE_REASONS) assert.deepEqual(Object.keys(RETRY_POLICY[reason]).sort(), [...ROLES].sort());
  });

  it('is told with its reason, and its cost counts', () => {
    const story = at('pm');
    story.fail('pm', 'agent_error');
    const line = story.lines.find(({ kind }) => kind === 'agent_failed');
    assert.deepEqual(line, {
      kind: 'agent_failed',
      call: 'c2-pm',
      role: 'pm',
      round: 1,
      attempt: 1,
      reason: 'agent_error',
      detail: 'no luck',
    });
    assert.deepEqual(story.state.spent, { calls: 1, tokens: 15, cost: 0.5 });
  });

  it('lets other units under way end before it blocks the project', () => {
    const story = new LoopStory();
    story.units = story.units.map((unit) => ({ ...unit, depends_on: [] }));
    story.toUnits();
    story.tell({
      kind: 'call.failed',
      key: story.call('coder', 'store').key,
      reason: 'refused',
      detail: 'no',
      record: RECORD,
    });
    assert.equal(story.state.status, 'running');
    story.complete('coder', {}, 'api');
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'refused']);
  });
});

const RECORD = { driver: 'recorded', layers: [], usage: {}, duration_ms: 1 };
