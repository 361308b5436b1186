import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoopStory } from '../support/loop-story.ts';

const gated = () => new LoopStory({ gates: { prd: true, sdd: true } });
const subjects = (story: LoopStory) =>
  story.lines.flatMap((line) => (line.kind === 'git_committed' ? [line.summary] : []));

describe('a gate', () => {
  it('waits for a person after PRD and after SDD, and says so', () => {
    const story = gated().run();
    story.complete('pm');
    story.land();
    assert.equal(story.state.status, 'waiting_approval');
    assert.deepEqual(story.lines.at(-1), { kind: 'gate_waiting', gate: 'prd' });
    story.tell({ kind: 'gate.approved', gate: 'prd', note: 'mind the colours' });
    const { input } = story.call('architect');
    assert.equal(input.role === 'architect' && input.note, 'mind the colours');
    story.complete('architect');
    story.land();
    assert.deepEqual(story.lines.at(-1), { kind: 'gate_waiting', gate: 'sdd' });
    story.tell({ kind: 'gate.approved', gate: 'sdd' });
    assert.equal(story.call('coder').unit, 'store');
  });

  it('sends a rejected PRD back to the PM with the note, as another revision', () => {
    const story = gated().run();
    story.complete('pm');
    story.land();
    story.tell({ kind: 'gate.rejected', gate: 'prd', note: 'too long' });
    const { input } = story.call('pm');
    assert.deepEqual(input.role === 'pm' && [input.prd_rev, input.feedback], [2, ['too long']]);
    story.complete('pm');
    story.land();
    assert.equal(story.state.status, 'waiting_approval');
    assert.deepEqual(story.state.feedback, [], 'what is in a PRD is not asked again');
  });

  it('sends a rejected SDD back to the Architect with the note, as another revision', () => {
    const story = gated().run();
    story.complete('pm');
    story.land();
    story.tell({ kind: 'gate.approved', gate: 'prd' });
    story.complete('architect');
    story.land();
    story.tell({ kind: 'gate.rejected', gate: 'sdd', note: 'one unit is enough' });
    const { input, round } = story.call('architect');
    assert.deepEqual(input.role === 'architect' && [input.mode, input.sdd_rev, input.note, round], [
      'generate',
      2,
      'one unit is enough',
      2,
    ]);
  });

  it('is waited at again after a pause', () => {
    const story = gated().run();
    story.complete('pm');
    story.land();
    story.tell({ kind: 'pause.requested' });
    assert.equal(story.state.status, 'paused');
    story.tell({ kind: 'resume.requested', head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.state.status, 'waiting_approval');
  });
});

describe('feedback', () => {
  it('overtakes work under way, which is stopped, and leads to another PRD revision', () => {
    const story = new LoopStory().toUnits();
    const { key } = story.call('coder');
    story.tell({ kind: 'feedback.given', text: 'and colours' });
    assert.deepEqual(story.state.aborting, [key]);
    assert.deepEqual(
      story.state.inflight.map((effect) => effect.key),
      [key],
      'the PM waits until it has ended',
    );
    story.tell({ kind: 'call.interrupted', key });
    const { input } = story.call('pm');
    assert.deepEqual(input.role === 'pm' && [input.prd_rev, input.feedback], [2, ['and colours']]);
    story.complete('pm');
    story.land();
    story.complete('architect');
    story.land();
    const coder = story.call('coder');
    assert.deepEqual([coder.round, coder.attempt], [2, 1]);
    assert.deepEqual(
      coder.from?.files,
      ['units/store/code/**', 'units/store/tests/**'],
      'half-written code is not built on',
    );
  });

  it('is taken after shipping, and ships again under the new revisions', () => {
    const story = new LoopStory().toShipped();
    story.tell({ kind: 'feedback.given', text: 'and colours' });
    story.complete('pm');
    story.land();
    story.complete('architect', { affected_units: ['api'] });
    story.land();
    story.attempt('green');
    assert.equal(story.effect('run_integration').round, 2, 'each integration has a round of its own');
    story.integration('pass');
    story.land();
    assert.equal(subjects(story).at(-1), 'ship: prd@2 sdd@2');
    assert.equal(story.state.status, 'shipped');
  });

  it('leaves a commit under way to land, and does not lose what is given meanwhile', () => {
    const story = new LoopStory().run();
    story.tell({ kind: 'feedback.given', text: 'first' });
    story.tell({ kind: 'call.interrupted', key: story.call('pm').key });
    story.complete('pm');
    story.tell({ kind: 'feedback.given', text: 'second' });
    story.land();
    assert.equal(story.state.revisions.prd, 1);
    const { input } = story.call('pm');
    assert.deepEqual(input.role === 'pm' && [input.prd_rev, input.feedback], [2, ['second']]);
  });

  it('given before the start is in the first PRD', () => {
    const story = new LoopStory();
    story.land();
    story.tell({ kind: 'feedback.given', text: 'in green' });
    assert.equal(story.state.status, 'created');
    story.run();
    const { input } = story.call('pm');
    assert.deepEqual(input.role === 'pm' && [input.prd_rev, input.feedback], [1, ['in green']]);
  });

  it('lets a blocked project go on', () => {
    const story = new LoopStory().run();
    story.fail('pm', 'refused');
    story.tell({ kind: 'feedback.given', text: 'something harmless' });
    assert.equal(story.state.status, 'running');
    assert.equal(story.call('pm').attempt, 1);
  });

  it('after a failed round does not count that round against the new revision', () => {
    const story = new LoopStory({ integration_rounds: 1 }).toIntegration().integration('fail');
    assert.equal(story.state.reason, 'integration_failed');
    story.tell({ kind: 'feedback.given', text: 'simpler' });
    story.complete('pm');
    story.land();
    story.complete('architect', { affected_units: [] });
    story.land();
    assert.equal(story.effect('run_integration').round, 2);
    story.integration('pass');
    story.land();
    assert.equal(story.state.status, 'shipped');
  });
});
