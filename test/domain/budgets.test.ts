import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exceededBudget } from '../../server/domain/budgets.ts';
import { LoopStory } from '../support/loop-story.ts';

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
