import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { LoopController } from '../../server/loop/index.ts';
import { demoScript, type FakeProject, FakeWorld, Life } from '../support/fake-world.ts';
import { shippedFacts } from '../support/shipped-facts.ts';

/** Has a project stopped at an operation, goes on, and returns it shipped; undefined where it was shipped before. */
async function stoppedAt(
  op: number,
  stop: (loop: LoopController, pid: ProjectId) => Promise<void>,
): Promise<FakeProject | undefined> {
  const world = new FakeWorld();
  const stopped: { done?: Promise<boolean> } = {};
  let pid: ProjectId | undefined;
  const life = new Life(Number.POSITIVE_INFINITY, (count) => {
    if (count === op && pid !== undefined) stopped.done = accepted(stop(loop, pid));
  });
  const loop = new LoopController(world.ports(life));
  const created = await loop.create({ requirement: 'a list' });
  pid = created.pid;
  await loop.run(pid);
  await loop.settled(pid);
  if ((await stopped.done) !== true) return undefined;
  const rest = await loop.settled(pid);
  assert.ok(
    rest.calls.every(({ status }) => status !== 'running'),
    'nothing is running any more',
  );
  if (rest.status !== 'shipped') await loop.run(pid);
  const view = await loop.settled(pid);
  assert.equal(view.status, 'shipped', `${view.reason}: ${view.detail}`);
  return world.only;
}

/** Whether the project could still be stopped. */
async function accepted(stopping: Promise<void>): Promise<boolean> {
  try {
    await stopping;
    return true;
  } catch (error) {
    if (!isDevLoopError(error, 'bad_state')) throw error;
    return false;
  }
}

describe('a project that is stopped', () => {
  let expected: ReturnType<typeof shippedFacts>;
  let operations = 0;
  before(async () => {
    const world = new FakeWorld();
    const life = new Life();
    const loop = new LoopController(world.ports(life));
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    await loop.settled(pid);
    expected = shippedFacts(world.only);
    operations = life.ops.length;
  });

  for (const [name, stop, from] of [
    ['paused', (loop: LoopController, pid: ProjectId) => loop.pause(pid), 10],
    ['cancelled', (loop: LoopController, pid: ProjectId) => loop.cancel(pid), 11],
  ] as const) {
    it(`ships the same after it was ${name} at any third operation and run again`, async () => {
      for (let op = from; op <= operations; op += 3) {
        const project = await stoppedAt(op, stop);
        if (project !== undefined) assert.deepEqual(shippedFacts(project), expected, `${name} at operation ${op}`);
      }
    });
  }

  it('ends a call that would go on for ever, and tells that it was interrupted', async () => {
    const { loop, pid, world } = await hanging();
    await loop.pause(pid);
    const view = await loop.settled(pid);
    assert.equal(view.status, 'paused');
    assert.deepEqual(
      view.calls.map(({ status }) => status),
      ['interrupted'],
    );
    const line = world.only.ledger.flatMap(({ entry }) => entry.events).find(({ kind }) => kind === 'agent_failed');
    assert.ok(line?.kind === 'agent_failed' && line.reason === 'cancelled');
    world.script = demoScript();
    await loop.resume(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });

  it('by the server has its calls interrupted and waits, paused, for somebody to run it after the next start', async () => {
    const { loop, pid, world } = await hanging();
    await loop.stop();
    world.script = demoScript();
    const next = new LoopController(world.ports());
    await next.boot();
    const view = await next.project(pid);
    assert.deepEqual([view.status, view.reason], ['paused', 'interrupted']);
    assert.deepEqual(await next.recoveries(), [], 'nothing was half-written');
    await next.run(pid);
    assert.equal((await next.settled(pid)).status, 'shipped');
  });

  it('does not stop another one', async () => {
    const { loop, pid, world } = await hanging();
    world.script = demoScript();
    const other = await loop.create({ requirement: 'another' });
    await loop.run(other.pid);
    assert.equal((await loop.settled(other.pid)).status, 'shipped');
    assert.equal((await loop.project(pid)).status, 'running');
    await loop.cancel(pid);
    assert.equal((await loop.settled(pid)).status, 'cancelled');
  });
});

/** A project whose PM never answers. */
async function hanging() {
  const world = new FakeWorld();
  const called = new Promise<void>((resolve) => {
    world.script = {
      ...demoScript(),
      agent: ({ context: { signal } }) => {
        resolve();
        return new Promise((end) => {
          const record = { driver: 'recorded', layers: [], usage: {}, duration_ms: 1 };
          signal.addEventListener('abort', () =>
            end({ kind: 'failed', reason: 'cancelled', detail: 'cancelled', record }),
          );
        });
      },
    };
  });
  const loop = new LoopController(world.ports());
  const { pid } = await loop.create({ requirement: 'a list' });
  await loop.run(pid);
  await called;
  return { world, loop, pid };
}
