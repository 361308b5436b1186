import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DevLoopError } from '../server/domain/errors.ts';
import { type ProjectId, parseProjectId } from '../server/domain/ids.ts';
import type { ProjectStatus } from '../server/domain/project.ts';
import { ProjectCare } from '../server/project-care.ts';
import { FakeLoop } from './support/fakes/fake-loop.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Care over projects of these statuses, whose clock goes with the timers. */
async function care(t: TestContext, statuses: readonly ProjectStatus[]) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-03-01T00:00:00Z') });
  const loop = new FakeLoop();
  const pids: ProjectId[] = [];
  for (const status of statuses) {
    const { pid } = await loop.create({ requirement: 'x' });
    loop.projects.set(pid, { ...(await loop.project(pid)), status, updated_at: '2026-01-05T00:00:00.000Z' });
    pids.push(pid);
  }
  const asked: (readonly [ProjectId, string | undefined])[] = [];
  /** How far the clock is wrong; ms. */
  const clock = { off: 0 };
  const warned: string[] = [];
  const refuse = new Set<ProjectId>();
  const tended = new ProjectCare({
    loop,
    vault: {
      maintain: async (pid, { ended } = {}) => {
        asked.push([pid, ended?.toISOString()]);
        if (refuse.has(pid)) throw new DevLoopError('disk_full', 'full');
        return { packed: true, expired: [] };
      },
    },
    clock: { now: () => new Date(Date.now() + clock.off) },
    log: { warn: (message) => void warned.push(message) },
  });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 30 * MINUTE) {
      t.mock.timers.tick(Math.min(left, 30 * MINUTE));
      for (let i = 0; i < 20; i++) await Promise.resolve();
    }
  };
  return { tended, loop, pids, asked, warned, refuse, clock, pass };
}

test('each project at rest is maintained once a day, from a while after the start', async (t) => {
  const { tended, asked, pids, pass } = await care(t, ['created', 'running', 'shipped']);
  tended.start();
  await pass(9 * MINUTE);
  assert.equal(asked.length, 0);
  await pass(MINUTE);
  const expected = [pids[0], pids[2]];
  assert.deepEqual(
    asked.map(([pid]) => pid),
    expected,
  );
  await pass(23 * 60 * MINUTE);
  assert.equal(asked.length, 2);
  await pass(60 * MINUTE);
  assert.deepEqual(
    asked.map(([pid]) => pid),
    [...expected, ...expected],
  );
  await tended.stop();
});

test('one that ran is maintained once it rests, and one that was maintained by hand waits a day', async (t) => {
  const { tended, loop, asked, pids, pass } = await care(t, ['running', 'paused']);
  const [first, second] = pids as [ProjectId, ProjectId];
  await tended.maintain(second);
  tended.start();
  await pass(2 * 60 * MINUTE);
  assert.deepEqual(asked, [[second, undefined]]);
  await loop.pause(first);
  await pass(60 * MINUTE);
  assert.deepEqual(
    asked.map(([pid]) => pid),
    [second, first],
  );
  await tended.stop();
});

test('only of what nothing follows is it said when it has ended', async (t) => {
  const { tended, asked, pids } = await care(t, ['shipped', 'shipped-final', 'abandoned', 'cancelled', 'blocked']);
  for (const pid of pids) await tended.maintain(pid);
  const end = '2026-01-05T00:00:00.000Z';
  assert.deepEqual(
    asked.map(([, ended]) => ended),
    [undefined, end, end, undefined, undefined],
  );
  await assert.rejects(tended.maintain(parseProjectId('p-none')), { code: 'project_not_found' });
});

test('one that cannot be maintained keeps no other from it, is said, and is tried again in a day', async (t) => {
  const { tended, asked, warned, refuse, pids, pass } = await care(t, ['created', 'created']);
  refuse.add(pids[0] as ProjectId);
  tended.start();
  await pass(10 * MINUTE);
  assert.deepEqual(
    asked.map(([pid]) => pid),
    pids,
  );
  assert.equal(warned.length, 1);
  await pass(DAY);
  assert.equal(asked.length, 4);
  await tended.stop();
});

test('a clock that was set back makes nobody wait, and after the end nothing is begun', async (t) => {
  const { tended, asked, clock, pass } = await care(t, ['created']);
  tended.start();
  await pass(10 * MINUTE);
  clock.off = -6 * 365 * DAY;
  await pass(60 * MINUTE);
  assert.equal(asked.length, 2);
  await tended.stop();
  await pass(2 * DAY);
  assert.equal(asked.length, 2);
});
