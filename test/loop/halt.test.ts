import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { LoopController } from '../../server/loop/index.ts';
import { demoScript, FakeWorld } from '../support/fake-world.ts';
import { shippedFacts } from '../support/shipped-facts.ts';

const full = (error: unknown) => isDevLoopError(error) && error.code === 'disk_full';

async function created() {
  const world = new FakeWorld();
  const loop = new LoopController(world.ports());
  await loop.boot();
  const { pid } = await loop.create({ requirement: 'a list' });
  return { world, loop, pid };
}

describe('a disk that is full', () => {
  it('has a command refused that cannot be noted, and nothing has changed', async () => {
    const { world, loop, pid } = await created();
    world.full.add('journal');
    await assert.rejects(loop.run(pid), full);
    assert.equal((await loop.project(pid)).status, 'created');
    world.full.clear();
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });

  for (const what of ['journal', 'ledgers'] as const) {
    it(`in the middle of a run, found by the ${what}, halts the project; with room again it goes on and has lost nothing`, async () => {
      const { world, loop, pid } = await created();
      const { agent } = demoScript();
      world.script = {
        ...demoScript(),
        agent: (call) => {
          if (call.role === 'architect') world.full.add(what);
          return agent(call);
        },
      };
      await loop.run(pid);
      const view = await loop.settled(pid);
      assert.deepEqual([view.status, view.reason], ['blocked', 'disk_full']);
      assert.deepEqual(
        (await loop.list()).map(({ status, reason }) => [status, reason]),
        [['blocked', 'disk_full']],
      );
      await assert.rejects(loop.run(pid), full, 'there is still no room');
      world.full.clear();
      world.script = demoScript();
      await loop.run(pid);
      assert.equal((await loop.settled(pid)).status, 'shipped');
      const { ledger, journal } = world.only;
      assert.deepEqual(
        ledger.map(({ position }) => position),
        journal.map((_, i) => i + 1),
      );
      const undisturbed = await created();
      await undisturbed.loop.run(undisturbed.pid);
      await undisturbed.loop.settled(undisturbed.pid);
      assert.deepEqual(shippedFacts(world.only), shippedFacts(undisturbed.world.only));
      assert.equal(world.only.repository.subjects.filter((subject) => subject.startsWith('sdd:')).length, 1);
    });
  }

  it('does not keep the server from stopping', async () => {
    const { world, loop, pid } = await created();
    await loop.run(pid);
    world.full.add('journal');
    await loop.stop();
    world.full.clear();
    const next = new LoopController(world.ports());
    await next.boot();
    for (const { snapshot } of await next.recoveries())
      await next.answerRecovery(pid, { action: 'reset_hard', snapshot });
    await next.run(pid);
    assert.equal((await next.settled(pid)).status, 'shipped');
  });
});
