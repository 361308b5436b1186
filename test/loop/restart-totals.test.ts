import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoopController } from '../../server/loop/index.ts';
import { FakeWorld, Life } from '../support/fake-world.ts';

describe('what was spent', () => {
  it('is the same after a restart, and goes on from there where a kill cut a run short', async () => {
    const whole = new FakeWorld();
    const uncut = await shipped(new LoopController(whole.ports()));
    const { pid } = whole.only.folder;
    const again = new LoopController(whole.ports());
    await again.boot();
    assert.deepEqual((await again.project(pid)).spent, uncut);
    assert.ok(uncut.calls > 0 && uncut.tokens > 0 && uncut.cost > 0);

    const world = new FakeWorld();
    const life = new Life(150);
    await Promise.race([shipped(new LoopController(world.ports(life))), life.died]);
    const second = new LoopController(world.ports());
    await second.boot();
    const cut = await second.project(pid);
    assert.ok(cut.spent.calls > 0 && cut.status !== 'shipped', `${cut.spent.calls} calls, ${cut.status}`);
    for (const { snapshot } of await second.recoveries())
      await second.answerRecovery(pid, { action: 'reset_hard', snapshot });
    await second.run(pid);
    const { spent, calls } = await second.settled(pid);
    const paid = calls.filter(({ usage }) => usage !== undefined);
    assert.deepEqual(
      [spent.tokens, spent.cost],
      [15 * paid.length, paid.length / 2],
      'each call that told what it cost is counted once',
    );
    assert.ok(spent.tokens >= uncut.tokens);
  });
});

async function shipped(loop: LoopController) {
  await loop.boot();
  const { pid } = await loop.create({ requirement: 'a list' });
  await loop.run(pid);
  const { status, spent } = await loop.settled(pid);
  assert.equal(status, 'shipped');
  return spent;
}
