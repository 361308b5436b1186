import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoopStory, unitSpec } from '../support/loop-story.ts';

const blame = (category: 'code' | 'contract' | 'sdd' | 'prd' | 'test' | 'environment') => ({
  category,
  blamed_units: ['store'],
  reason: 'the store forgets',
});

describe('a failed integration', () => {
  it('resets the blamed units, which are repaired with the reason at hand, and runs the cases again', () => {
    const story = new LoopStory().toIntegration().integration('fail', blame('code'));
    const { input, round, attempt, from } = story.call('coder');
    assert.deepEqual([round, attempt, from], [2, 1, undefined], 'the files stay as they are');
    assert.equal(input.role === 'coder' && input.triage_reason, 'the store forgets');
    assert.deepEqual(
      story.state.units.map(({ status }) => status),
      ['coding', 'green'],
    );
    story.attempt('green');
    assert.equal(story.effect('run_integration').round, 2);
    story.integration('pass');
    assert.match(story.effect('commit').spec.subject, /^ship: /);
  });

  it('is told with the first failure, and its commit says how many passed', () => {
    const story = new LoopStory().toIntegration().integration('fail');
    const line = story.lines.find(({ kind }) => kind === 'integration_result');
    assert.ok(line?.kind === 'integration_result');
    assert.deepEqual(line.first_failure, { id: 'two', message: 'expected 201, got 500' });
    const subjects = story.lines.flatMap((one) => (one.kind === 'git_committed' ? [one.summary] : []));
    assert.match(subjects.at(-2) ?? '', /^integ\(.{12}\): fail · 1\/2$/);
    assert.match(subjects.at(-1) ?? '', /^triage\(.{12}\): code · confidence 0.9$/);
  });

  it('keeps the triage as a file that holds exactly the result', () => {
    const story = new LoopStory().toIntegration();
    story.integrated('fail');
    story.complete('integrator');
    story.land();
    story.complete('bug-triager', blame('sdd'));
    const [file] = story.effect('commit').writes;
    assert.match(file?.path ?? '', /^integration\/runs\/r-\d+\/triage.json$/);
    assert.equal(JSON.parse(file?.content ?? '').category, 'sdd');
  });

  it('opens a bug, which is fixed when the cases pass', () => {
    const story = new LoopStory().toIntegration().integration('fail').attempt('green');
    story.integrated('pass');
    const bugs = story.entries.flatMap((entry) => entry.bugs ?? []);
    assert.deepEqual(
      bugs.map(({ state, category, units }) => [state, category, units]),
      [
        ['open', 'code', ['store']],
        ['fixed', 'code', ['store']],
      ],
    );
    assert.equal(bugs[0]?.bug, bugs[1]?.bug);
  });

  for (const category of ['contract', 'sdd'] as const) {
    it(`of category ${category} has the Architect patch, and the affected units begin a round`, () => {
      const story = new LoopStory().toIntegration().integration('fail', blame(category));
      const { input } = story.call('architect');
      assert.ok(input.role === 'architect');
      assert.deepEqual(
        [input.mode, input.sdd_rev, input.affected_units, input.note],
        ['patch', 1, ['store'], 'the store forgets'],
      );
      story.complete('architect');
      const { spec } = story.effect('commit');
      assert.deepEqual([spec.subject, spec.tag], ['sdd: patch · store', undefined]);
      story.land();
      const coder = story.call('coder').input;
      assert.deepEqual(coder.role === 'coder' && [coder.unit, coder.round, coder.triage_reason], [
        'store',
        2,
        'the store forgets',
      ]);
      const lines = story.entries.flatMap((entry) => entry.changelog ?? []);
      assert.deepEqual(lines.at(-1), { kind: 'units', rev: 1, summary: 'store and api' });
    });
  }

  it('of category prd goes back to the PM, and to a whole new design', () => {
    const story = new LoopStory().toIntegration().integration('fail', blame('prd'));
    const { input } = story.call('pm');
    assert.deepEqual(input.role === 'pm' && [input.prd_rev, input.triage_reason], [2, 'the store forgets']);
    story.complete('pm');
    story.land();
    story.complete('architect');
    assert.equal(story.effect('commit').spec.tag?.name, 'sdd-rev-2');
    story.land();
    assert.deepEqual(
      story.state.units.map(({ round, status }) => [round, status]),
      [
        [2, 'coding'],
        [2, 'waiting'],
      ],
    );
  });

  it('of category test has the Tester work first, and a red run then the Coder', () => {
    const story = new LoopStory().toIntegration().integration('fail', blame('test'));
    const { input, round } = story.call('tester');
    assert.deepEqual([round, input.role === 'tester' && input.triage_reason], [2, 'the store forgets']);
    story.complete('tester');
    story.tested('red');
    story.save();
    assert.deepEqual([story.call('coder').round, story.call('coder').attempt], [2, 2]);
  });

  it('of category test is committed as the work of the Tester call', () => {
    const story = new LoopStory().toIntegration().integration('fail', blame('test'));
    const { key } = story.call('tester');
    story.complete('tester');
    story.tested('green');
    const { spec } = story.effect('commit');
    assert.deepEqual([spec.key, spec.subject], [key, 'code(store): implement · attempt 1']);
  });

  it('of category environment is run again once, then blocks', () => {
    const story = new LoopStory().toIntegration().integration('environment', blame('environment'));
    assert.equal(story.effect('run_integration').round, 2);
    story.integration('environment', blame('environment'));
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'environment']);
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.effect('run_integration').round, 3);
  });

  it('blocks after the rounds that settings allow, and a person can grant as many again', () => {
    const story = new LoopStory({ integration_rounds: 2 })
      .toIntegration()
      .integration('fail')
      .attempt('green')
      .integration('fail');
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'integration_failed']);
    assert.ok(story.lines.some((line) => line.kind === 'budget_exceeded' && line.budget === 'integration_rounds'));
    story.tell({ kind: 'run.requested', units: [], head: story.state.head ?? assert.fail(), sandboxed: true });
    assert.equal(story.call('coder').round, 3);
    story.attempt('green').integration('fail').attempt('green').integration('fail');
    assert.equal(story.state.reason, 'integration_failed');
  });

  it('leaves units alone that the Architect did not touch', () => {
    const story = new LoopStory();
    story.units = [unitSpec('store'), unitSpec('api', ['store']), unitSpec('page')];
    story.toIntegration().integration('fail', blame('sdd'));
    story.units = [...story.units.slice(0, 2), { ...unitSpec('page'), title: 'another page' }, unitSpec('new')];
    story.complete('architect', { affected_units: ['api'] });
    story.land();
    assert.deepEqual(
      story.state.units.map(({ id, round, status }) => [id, round, status]),
      [
        ['store', 1, 'green'],
        ['api', 2, 'coding'],
        ['page', 2, 'coding'],
        ['new', 1, 'waiting'],
      ],
    );
  });
});
