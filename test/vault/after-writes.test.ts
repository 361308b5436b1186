import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { type ProjectId, parseProjectId } from '../../server/domain/ids.ts';
import { AfterWrites } from '../../server/vault/after-writes.ts';

const [a, b] = [parseProjectId('p-a'), parseProjectId('p-b')];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('several writes in a row are worked on once, one project at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const done: ProjectId[] = [];
  let running = 0;
  const queue = new AfterWrites(async (pid) => {
    assert.equal(++running, 1);
    await turn();
    done.push(pid);
    running--;
  });
  for (const pid of [a, b, a, a]) queue.note(pid);
  t.mock.timers.tick(1000);
  while (done.length < 2) await turn();
  assert.deepEqual(done, [a, b]);
});

test('a write that comes while others are worked on is worked on after them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const done: ProjectId[] = [];
  const queue = new AfterWrites(async (pid) => {
    done.push(pid);
    if (done.length === 1) queue.note(a);
  });
  queue.note(a);
  t.mock.timers.tick(1000);
  await turn();
  t.mock.timers.tick(1000);
  await turn();
  assert.deepEqual(done, [a, a]);
});

test('nothing is done after a stop', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new AfterWrites(async () => assert.fail('worked'));
  queue.note(a);
  queue.stop();
  t.mock.timers.tick(10_000);
  await turn();
});

test('a project that is gone, or cannot be worked on, does not keep others from it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const done: ProjectId[] = [];
  const queue = new AfterWrites(async (pid) => {
    if (pid === a) throw new DevLoopError('project_not_found', 'gone');
    done.push(pid);
  });
  queue.note(a);
  queue.note(b);
  t.mock.timers.tick(1000);
  while (done.length < 1) await turn();
  assert.deepEqual(done, [b]);
});
