import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Usage } from '../../server/domain/agent-call.ts';
import { exceededBudget } from '../../server/domain/budgets.ts';
import type { RoleTeam } from '../../server/domain/team.ts';
import { goodResult, LoopStory, RECORD } from '../support/loop-story.ts';

describe('a budget', () => {
  for (const [budget, limit] of [
    ['tokens', 40],
    ['cost', 1.2],
  ] as const) {
    it(`of ${budget} that is spent lets what was done be committed, then blocks with the figures`, () => {
      const story = new LoopStory({ budget: { [budget]: limit } }).run();
      story.complete('pm');
      story.land();
      story.complete('architect');
      story.land();
      story.complete('coder');
      assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'budget']);
      assert.ok(
        story.lines.some((line) => line.kind === 'budget_exceeded' && line.budget === budget && line.limit === limit),
      );
      assert.deepEqual(story.state.inflight, []);
    });
  }

  it('that is spent by a Tester still has the tests run and the green unit committed', () => {
    const story = new LoopStory({ budget: { tokens: 60 } }).toUnits().attempt('green');
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'budget']);
    assert.equal(story.state.units[0]?.status, 'green');
  });

  it('is granted once more by a person who runs the project again', () => {
    const story = new LoopStory({ budget: { tokens: 15 } }).run();
    story.complete('pm');
    story.land();
    assert.equal(story.state.reason, 'budget');
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    story.complete('architect');
    story.land();
    assert.deepEqual([story.state.status, story.state.reason, story.state.spent.tokens], ['blocked', 'budget', 30]);
  });

  it('is not granted once more by a pause in between', () => {
    const story = new LoopStory({ budget: { tokens: 30 } }).run();
    story.complete('pm');
    story.tell({ kind: 'pause.requested' });
    story.land();
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    story.complete('architect');
    story.land();
    assert.equal(story.state.reason, 'budget');
  });

  it('that is not set is never spent', () => {
    assert.equal(exceededBudget({ ...new LoopStory().state, spent: { calls: 9, tokens: 1e9, cost: 1e6 } }), undefined);
  });
});

const PRICE = { input: 1, output: 2 };
const MODEL: RoleTeam = { driver: 'model', base_url: 'http://127.0.0.1:9/v1', model: 'm' };
const ACP: RoleTeam = { driver: 'acp', command: ['agent', 'acp'] };
const UNPRICED: Usage = { input_tokens: 10, output_tokens: 5 };

/** A project after the PM's call, with this usage. */
function afterCall(team: RoleTeam, usage: Usage, budget: { tokens?: number; cost?: number }): LoopStory {
  const story = new LoopStory({ budget }, { default: team }).run();
  const call = story.call('pm');
  const record = { ...RECORD, driver: team.driver, usage };
  story.tell({ kind: 'call.completed', key: call.key, result: goodResult(call, story.units), record });
  story.land();
  return story;
}

describe('a budget of cost', () => {
  const never: readonly (readonly [string, RoleTeam])[] = [
    ['a model without a price', MODEL],
    ['a plain program', { driver: 'command', command: ['p'], price: PRICE }],
    ['Codex without a price', { driver: 'command', command: ['codex'], decoder: 'codex' }],
  ];
  for (const [what, team] of never) {
    it(`blocks before the first call of ${what}, and says why`, () => {
      const { state } = new LoopStory({ budget: { cost: 5 } }, { default: team }).run();
      assert.deepEqual([state.status, state.reason, state.calls.length], ['blocked', 'budget', 0]);
      assert.equal(
        state.detail,
        `the budget of cost cannot be held: the ${team.driver} agent of the pm tells no cost and has no known price; set its price, or a budget of tokens`,
      );
    });
  }

  it('names the role that alone has no price', () => {
    const { state } = new LoopStory(
      { budget: { cost: 5 } },
      { default: { ...MODEL, price: PRICE }, roles: { tester: MODEL } },
    ).run();
    assert.match(state.detail ?? '', /the model agent of the tester tells no cost/);
  });

  const priced: readonly (readonly [string, RoleTeam])[] = [
    ['a model with a price', { ...MODEL, price: PRICE }],
    ['Codex with a price', { driver: 'command', command: ['codex'], decoder: 'codex', price: PRICE }],
    ['Claude Code, which tells its cost', { driver: 'command', command: ['claude'], decoder: 'claude' }],
    ['an agent of which nothing is known', ACP],
    ['a recording', { driver: 'recorded' }],
  ];
  for (const [what, team] of priced) {
    it(`lets ${what} work`, () => {
      assert.equal(new LoopStory({ budget: { cost: 5 } }, { default: team }).run().state.status, 'running');
    });
  }

  it('blocks after a call that told no cost', () => {
    const { state } = afterCall(ACP, UNPRICED, { cost: 5 });
    assert.deepEqual([state.status, state.reason], ['blocked', 'budget']);
    assert.match(state.detail ?? '', /the acp agent of the pm tells no cost/);
    assert.equal(state.revisions.prd, 1, 'what was done is committed first');
    assert.equal(afterCall(ACP, {}, { cost: 5 }).state.reason, 'budget');
  });

  it('goes on after one that told it, after a replayed one, and beside a budget of tokens', () => {
    assert.equal(afterCall(ACP, { ...UNPRICED, cost: 0.1 }, { cost: 5 }).state.status, 'running');
    assert.equal(afterCall({ driver: 'recorded' }, UNPRICED, { cost: 5 }).state.status, 'running');
    assert.equal(afterCall(ACP, UNPRICED, { cost: 5, tokens: 1000 }).state.status, 'running');
    assert.equal(afterCall(MODEL, UNPRICED, { cost: 5, tokens: 1000 }).state.status, 'running');
  });

  it('does not count a call that failed before it told anything', () => {
    const story = new LoopStory({ budget: { cost: 5 } }, { default: ACP }).run();
    const { key } = story.call('pm');
    const record = { ...RECORD, driver: 'acp', usage: {} };
    story.tell({ kind: 'call.failed', key, reason: 'timeout_idle', detail: 'silent', record });
    assert.equal(story.state.status, 'running');
  });

  it('is no hindrance any more once a person who was told has let the project go on', () => {
    const story = afterCall(ACP, UNPRICED, { cost: 5 });
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.state.status, 'running');
  });
});
