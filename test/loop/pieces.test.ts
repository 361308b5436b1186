import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inParallel } from '../../server/loop/in-parallel.ts';
import { eventOfRecord, journalRecord } from '../../server/loop/journal-record.ts';
import { serial } from '../../server/loop/serial.ts';
import { projectView, unitView } from '../../server/loop/views.ts';
import { LoopStory, oid } from '../support/loop-story.ts';

describe('serial', () => {
  it('runs one task after the other, also after one that failed', async () => {
    const run = serial();
    const seen: string[] = [];
    const task = (name: string, ticks: number) => async () => {
      seen.push(`${name} begins`);
      for (let i = 0; i < ticks; i++) await null;
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('no');
      return name;
    };
    const results = await Promise.allSettled([run(task('a', 5)), run(task('b', 1)), run(task('c', 0))]);
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });
});

describe('inParallel', () => {
  it('works on all, at most so many at a time', async () => {
    let now = 0;
    let most = 0;
    const done: number[] = [];
    await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++now);
      for (let i = 0; i < item; i++) await null;
      done.push(item);
      now--;
    });
    assert.deepEqual([most, done.toSorted()], [2, [1, 2, 3, 4, 5]]);
  });
});

describe('a journal record', () => {
  const [event] = new LoopStory().events;
  it('holds its event', () => {
    assert.ok(event);
    assert.deepEqual(eventOfRecord(JSON.parse(JSON.stringify(journalRecord(event))), 1), event);
  });
  it('of another version, or none at all, is damage that names its place', () => {
    for (const record of [undefined, 7, {}, { schema: 2, event }, { schema: 1 }, { schema: 1, event: { kind: 'x' } }]) {
      assert.throws(() => eventOfRecord(record, 12), { code: 'journal_damaged', data: { position: 12 } });
    }
  });
});

describe('what a person is shown', () => {
  const view = (story: LoopStory) => projectView(story.state, { halt: undefined, path: '/data/p', head: oid(1) });

  it('has no member that is undefined', () => {
    const text = JSON.stringify(view(new LoopStory().toUnits()));
    assert.deepEqual(JSON.parse(text), view(new LoopStory().toUnits()));
  });

  it('says what to do next wherever the project stands still', () => {
    const failed = new LoopStory({ attempts: 1 }).toUnits().attempt('red');
    assert.match(view(failed).hint ?? '', /units store/);
    const shipped = new LoopStory().toShipped();
    assert.match(view(shipped).hint ?? '', /Sign it off/);
    shipped.tell({ kind: 'recovery.found', snapshot: 's', files: [] });
    assert.match(view(shipped).hint ?? '', /choose/);
    assert.equal(view(new LoopStory().run()).hint, undefined);
  });

  it('of a project that halts is blocked, with what could not be written down', () => {
    const halt = { code: 'disk_full', detail: 'no room' };
    const { status, reason, detail } = projectView(new LoopStory().run().state, { halt, path: '', head: oid(1) });
    assert.deepEqual([status, reason, detail], ['blocked', 'disk_full', 'no room']);
  });

  it('of a unit names its last run', () => {
    const story = new LoopStory().toUnits().attempt('red');
    const [unit] = story.state.units;
    assert.ok(unit);
    const { id, round, attempt, status, last_run } = unitView(unit);
    assert.deepEqual([id, round, attempt, status, last_run !== undefined], ['store', 1, 2, 'coding', true]);
  });
});
