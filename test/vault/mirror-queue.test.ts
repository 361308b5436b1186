import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { type ProjectId, parseProjectId } from '../../server/domain/ids.ts';
import { MirrorQueue } from '../../server/vault/mirror-queue.ts';

const [a, b] = [parseProjectId('p-a'), parseProjectId('p-b')];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('several writes in a row are copied once, one project at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const synced: ProjectId[] = [];
  let running = 0;
  const queue = new MirrorQueue(async (pid) => {
    assert.equal(++running, 1);
    await turn();
    synced.push(pid);
    running--;
  });
  for (const pid of [a, b, a, a]) queue.note(pid);
  t.mock.timers.tick(1000);
  while (synced.length < 2) await turn();
  assert.deepEqual(synced, [a, b]);
});

test('a write that comes while others are copied is copied after them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const synced: ProjectId[] = [];
  const queue = new MirrorQueue(async (pid) => {
    synced.push(pid);
    if (synced.length === 1) queue.note(a);
  });
  queue.note(a);
  t.mock.timers.tick(1000);
  await turn();
  t.mock.timers.tick(1000);
  await turn();
  assert.deepEqual(synced, [a, a]);
});

test('nothing is copied after a stop', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new MirrorQueue(async () => assert.fail('copied'));
  queue.note(a);
  queue.stop();
  t.mock.timers.tick(10_000);
  await turn();
});

test('a project that is gone, or cannot be copied, does not keep others from it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const synced: ProjectId[] = [];
  const queue = new MirrorQueue(async (pid) => {
    if (pid === a) throw new DevLoopError('project_not_found', 'gone');
    synced.push(pid);
  });
  queue.note(a);
  queue.note(b);
  t.mock.timers.tick(1000);
  while (synced.length < 1) await turn();
  assert.deepEqual(synced, [b]);
});
