import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide } from '../../server/domain/decide.ts';
import type { ProjectState } from '../../server/domain/project-state.ts';
import { LoopStory, oid, unitId, unitSpec } from '../support/loop-story.ts';

const kinds = (story: LoopStory) => story.lines.map(({ kind }) => kind);
const keys = (story: LoopStory) => story.state.inflight.map(({ key }) => key);

describe('the loop', () => {
  it('goes from requirement to shipped, one step after the other', () => {
    const story = new LoopStory();
    assert.deepEqual(keys(story), ['c1-init']);
    story.run();
    assert.deepEqual(keys(story), ['c2-pm']);
    story.complete('pm');
    assert.deepEqual(keys(story), ['c2-pm'], 'a commit has the key of the call whose work it is');
    story.land();
    assert.deepEqual(keys(story), ['c4-architect']);
    story.complete('architect');
    story.land();
    assert.deepEqual(keys(story), ['c6-coder-store'], 'api waits for store');
    story.attempt('green').attempt('green');
    assert.equal(story.effect('run_integration').round, 1);
    story.integration('pass');
    assert.equal(story.effect('commit').spec.subject, 'ship: prd@1 sdd@1');
    story.land();
    assert.equal(story.state.status, 'shipped');
    assert.deepEqual(keys(story), []);
  });

  it('journals what people see, in order', () => {
    const story = new LoopStory().toShipped();
    assert.deepEqual(kinds(story).slice(0, 10), [
      'project_status',
      'git_committed',
      'project_status',
      'agent_started',
      'agent_finished',
      'git_committed',
      'git_tagged',
      'agent_started',
      'agent_finished',
      'git_committed',
    ]);
    assert.deepEqual(story.lines.at(-1), { kind: 'project_status', status: 'shipped' });
    assert.deepEqual(
      story.entries.flatMap(({ changelog = [] }) => changelog),
      [
        { kind: 'prd', rev: 1, tag: 'prd-rev-1', summary: 'a todo list' },
        { kind: 'sdd', rev: 1, tag: 'sdd-rev-1', summary: 'store and api' },
      ],
    );
  });

  it('makes a red attempt again with its report, and commits the green one as a retry', () => {
    const story = new LoopStory().toUnits().attempt('red');
    const again = story.call('coder');
    assert.deepEqual([again.attempt, again.round], [2, 1]);
    assert.equal(again.input.role === 'coder' && again.input.last_report?.outcome, 'red');
    assert.deepEqual(again.from, {
      rev: 'attempts/store/1/1',
      files: ['units/store/code/**', 'units/store/tests/**'],
    });
    story.complete('coder');
    story.complete('tester');
    story.tested('green');
    const { spec, writes } = story.effect('commit');
    assert.equal(spec.subject, 'code(store): retry → green · attempt 2');
    const [log] = writes;
    assert.equal(log?.path, 'units/store/coder.log');
    assert.match(log?.content ?? '', /round 1 · attempt 1 · red[\s\S]*round 1 · attempt 2 · green/);
  });

  it('starts the next attempt from before the round where settings say fresh', () => {
    const story = new LoopStory({ retry_from: 'fresh' }).toUnits();
    const base = story.state.head;
    assert.equal(story.attempt('red').call('coder').from?.rev, base);
  });

  it('blocks with unit_failed when a unit was red in all its attempts and nothing else can run', () => {
    const story = new LoopStory();
    story.units = [unitSpec('store'), unitSpec('api', ['store']), unitSpec('page')];
    story.toUnits();
    for (const _ of [1, 2, 3]) {
      story.complete('coder', {}, 'store');
      story.complete('tester', {}, 'store');
      story.tested('red');
      story.save();
    }
    assert.equal(story.state.status, 'running', 'page goes on');
    story.attempt('green');
    assert.deepEqual([story.state.status, story.state.reason], ['blocked', 'unit_failed']);
    assert.deepEqual(
      story.state.units.map(({ id, status }) => [id, status]),
      [
        ['store', 'failed'],
        ['api', 'waiting'],
        ['page', 'green'],
      ],
    );
    assert.ok(story.lines.some((line) => line.kind === 'budget_exceeded' && line.budget === 'attempts'));
    story.tell({ kind: 'run.requested', units: [unitId('store')], head: oid(77), sandboxed: true });
    const granted = story.call('coder');
    assert.deepEqual([granted.round, granted.attempt, granted.from], [2, 1, undefined]);
    assert.equal(granted.input.role === 'coder' && granted.input.last_report?.outcome, 'red');
  });

  it('runs ready units side by side, up to max_parallel_units', () => {
    const story = new LoopStory({ max_parallel_units: 2 });
    story.units = [unitSpec('a'), unitSpec('b'), unitSpec('c'), unitSpec('d', ['a'])];
    story.toUnits();
    assert.deepEqual(keys(story), ['c6-coder-a', 'c7-coder-b']);
    story.attempt('green');
    assert.deepEqual(
      story.state.inflight.map((effect) => effect.kind === 'call_agent' && effect.unit),
      ['b', 'c'],
    );
  });

  it('makes an interrupted call again with the same round and attempt under a new id', () => {
    const story = new LoopStory().toUnits().attempt('red');
    const first = story.call('coder');
    story.tell({ kind: 'pause.requested' });
    assert.deepEqual(story.state.aborting, [first.key]);
    story.tell({ kind: 'call.interrupted', key: first.key });
    assert.deepEqual([story.state.status, keys(story)], ['paused', []]);
    story.tell({ kind: 'resume.requested', head: oid(50), sandboxed: true });
    const second = story.call('coder');
    assert.notEqual(second.key, first.key);
    assert.deepEqual([second.round, second.attempt, second.from], [first.round, first.attempt, first.from]);
  });

  it('restores only the tests where a Tester was interrupted after its Coder', () => {
    const story = new LoopStory().toUnits();
    const base = story.state.head;
    story.complete('coder');
    story.tell({ kind: 'pause.requested' });
    story.tell({ kind: 'call.interrupted', key: story.call('tester').key });
    story.tell({ kind: 'resume.requested', head: oid(50), sandboxed: true });
    assert.deepEqual(story.call('tester').from, { rev: base, files: ['units/store/tests/**'] });
  });

  it('takes a completed call that was being stopped for interrupted', () => {
    const story = new LoopStory().run();
    story.tell({ kind: 'feedback.given', text: 'and colours' });
    story.complete('pm');
    const again = story.call('pm');
    assert.deepEqual(again.input.role === 'pm' && again.input.feedback, ['and colours']);
    assert.deepEqual(again.from, { rev: oid(1), files: ['prd/**'] });
  });

  it('folds the same events to the same state and the same entries', () => {
    const story = new LoopStory().toUnits().attempt('red').attempt('green').attempt('green').integration('fail');
    let state: ProjectState | undefined;
    const entries = story.events.map((event) => {
      const decision = decide(state, event);
      state = decision.state;
      return decision.entry;
    });
    assert.deepEqual(state, story.state);
    assert.deepEqual(entries, story.entries);
  });

  it('refuses an outcome of what is not under way', () => {
    const story = new LoopStory().run();
    assert.throws(
      () => story.tell({ kind: 'run.interrupted', key: story.call('pm').key }),
      (error: { code?: string }) => error.code === 'journal_damaged',
    );
  });
});
