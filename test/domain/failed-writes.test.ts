import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WRITE_TRIES } from '../../server/domain/next-step.ts';
import { LoopStory } from '../support/loop-story.ts';

const failWrite = (story: LoopStory, kind: 'commit' | 'save_attempt' = 'commit') =>
  story.tell({ kind: 'write.failed', key: story.effect(kind).key, code: 'disk_full', detail: 'the disk is full' });

describe('a write that fails', () => {
  it('is told, and made again under the same key before the next step', () => {
    const story = new LoopStory().run();
    story.complete('pm');
    const first = story.effect('commit');
    const { effects } = failWrite(story);
    assert.deepEqual(effects, [first]);
    assert.deepEqual(story.lines.at(-1), {
      kind: 'git_failed',
      commit: 'prd',
      code: 'disk_full',
      detail: 'the disk is full',
    });
    assert.equal(story.state.calls[0]?.detail, 'not committed yet: the disk is full', "the call's record says so");
    story.land();
    assert.deepEqual([story.state.failed, story.state.calls[0]?.detail], [[], undefined]);
    assert.equal(story.call('architect').role, 'architect');
  });

  it('blocks the project after three tries, and is made again when a person runs it', () => {
    const story = new LoopStory().run();
    story.complete('pm');
    for (let i = 0; i < WRITE_TRIES; i++) failWrite(story);
    assert.deepEqual(
      [story.state.status, story.state.reason, story.state.detail],
      ['blocked', 'git_failed', 'the disk is full'],
    );
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    story.land();
    assert.equal(story.state.revisions.prd, 1);
  });

  it('keeps a unit from being green, and the project from the integration', () => {
    const story = new LoopStory({ max_parallel_units: 1 });
    story.units = story.units.slice(0, 1);
    story.toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('green');
    failWrite(story);
    assert.equal(story.state.units[0]?.status, 'testing');
    assert.deepEqual(
      story.state.inflight.map(({ kind }) => kind),
      ['commit'],
    );
    story.land();
    assert.equal(story.state.units[0]?.status, 'green');
    assert.equal(story.effect('run_integration').round, 1);
  });

  it('keeps a red attempt from being followed by the next', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('red');
    for (let i = 0; i < WRITE_TRIES; i++) failWrite(story, 'save_attempt');
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'git_failed']);
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    story.save();
    assert.equal(story.call('coder').attempt, 2);
  });

  it('keeps the project from being shipped', () => {
    const story = new LoopStory().toIntegration().integration('pass');
    for (let i = 0; i < WRITE_TRIES; i++) failWrite(story);
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'git_failed']);
  });

  it('of a sign-off leaves the project as it was: the person asks again', () => {
    const story = new LoopStory().toShipped();
    story.tell({ kind: 'sign_off.requested', user: 'ada' });
    failWrite(story);
    assert.deepEqual([story.state.status, story.state.inflight, story.state.failed], ['shipped', [], []]);
    story.tell({ kind: 'sign_off.requested', user: 'ada' });
    assert.equal(story.effect('commit').spec.tag?.name, 'final-v1');
    story.land();
    assert.equal(story.state.status, 'shipped-final');
  });

  it('because the files are not those that were tested has them tested again', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('green');
    story.tell({ kind: 'work.moved', key: story.effect('commit').key });
    story.tested('green');
    story.land();
    assert.equal(story.state.units[0]?.status, 'green');
  });

  it('that landed while the project was paused still counts', () => {
    const story = new LoopStory().toIntegration().integration('pass');
    story.tell({ kind: 'pause.requested' });
    story.land();
    assert.equal(story.state.status, 'shipped');
  });
});

describe('an effect that could not be carried out', () => {
  it('blocks with the code, uses up no attempt, and is done again when a person runs the project', () => {
    const story = new LoopStory().toUnits();
    story.tell({ kind: 'effect.failed', key: story.call('coder').key, code: 'disk_full', detail: 'no room' });
    assert.deepEqual([story.state.status, story.state.reason, story.state.detail], ['blocked', 'disk_full', 'no room']);
    const ended = story.lines.findLast((line) => line.kind === 'agent_failed');
    assert.ok(ended?.kind === 'agent_failed' && ended.detail === 'disk_full: no room; it will be made again');
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.deepEqual([story.call('coder').round, story.call('coder').attempt], [1, 1]);
  });

  it('is no reason to block where it had been told to stop', () => {
    const story = new LoopStory().run();
    story.tell({ kind: 'pause.requested' });
    story.tell({ kind: 'effect.failed', key: story.call('pm').key, code: 'internal', detail: 'aborted' });
    story.tell({ kind: 'resume.requested', head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.state.status, 'running');
  });

  it('of a test run or an integration is made again too', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tell({ kind: 'effect.failed', key: story.effect('test_unit').key, code: 'timeout', detail: 'stuck' });
    assert.equal(story.state.reason, 'timeout');
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.effect('test_unit').unit, 'store');
  });
});
