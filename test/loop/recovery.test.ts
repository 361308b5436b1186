import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import type { SettingsInput } from '../../server/domain/project.ts';
import { LoopController } from '../../server/loop/index.ts';
import { FakeWorld, Life } from '../support/fake-world.ts';

const code = (wanted: string) => (error: unknown) => isDevLoopError(error) && error.code === wanted;

/** A server that was killed in the middle of a unit, and the next one. */
async function afterKill(settings: SettingsInput = {}) {
  const world = new FakeWorld();
  const life = new Life(90);
  const first = new LoopController(world.ports(life));
  const { pid } = await first.create({ requirement: 'a list', settings });
  await first.run(pid);
  await life.died;
  assert.notDeepEqual(world.only.repository.dirty(), []);
  const loop = new LoopController(world.ports());
  await loop.boot();
  return { world, loop, pid, repository: world.only.repository };
}

describe('dirty files after a kill', () => {
  it('are listed with the state that they are in, and keep the project from running', async () => {
    const { loop, pid, world } = await afterKill();
    const [found] = await loop.recoveries();
    assert.ok(found);
    assert.deepEqual(
      [found.pid, found.options, found.inspecting],
      [pid, ['commit_as_wip', 'reset_hard', 'manual_inspect'], false],
    );
    assert.ok(found.files.some(({ path }) => path === 'units/store/code/main.js'));
    const view = await loop.project(pid);
    assert.deepEqual([view.status, view.reason, view.recovery?.snapshot], ['paused', 'interrupted', found.snapshot]);
    await assert.rejects(loop.run(pid), code('recovery_pending'));
    await assert.rejects(loop.resume(pid), code('recovery_pending'));
    await loop.recoveries();
    assert.equal(world.only.kinds.filter((kind) => kind === 'recovery_dirty_tree').length, 1, 'told once');
  });

  it('are kept in a rescue and then taken back by reset_hard', async () => {
    const { loop, pid, repository, world } = await afterKill();
    const [found] = await loop.recoveries();
    const answer = await loop.answerRecovery(pid, { action: 'reset_hard', snapshot: found?.snapshot ?? '' });
    assert.equal(answer.rescue, 'rescue-1');
    assert.ok(repository.rescues[0]?.has('units/store/code/main.js'));
    assert.deepEqual(repository.dirty(), []);
    assert.deepEqual(await loop.recoveries(), []);
    assert.ok(world.only.kinds.includes('recovery_settled'));
  });

  it('are committed as they are by commit_as_wip', async () => {
    const { loop, pid, repository, world } = await afterKill();
    const [found] = await loop.recoveries();
    const { sha } = await loop.answerRecovery(pid, { action: 'commit_as_wip', snapshot: found?.snapshot ?? '' });
    assert.equal(sha, repository.head.sha);
    assert.equal(repository.head.spec.subject, `wip: recovered after crash · ${found?.files.length} files`);
    const committed = world.only.ledger.flatMap(({ entry }) => entry.events).at(-2);
    assert.ok(committed?.kind === 'git_committed' && committed.sha === sha);
  });

  it('stay as they are under manual_inspect, and are settled once they are clean', async () => {
    const { loop, pid, repository } = await afterKill();
    const [found] = await loop.recoveries();
    await loop.answerRecovery(pid, { action: 'manual_inspect', snapshot: found?.snapshot ?? '' });
    assert.equal((await loop.recoveries())[0]?.inspecting, true);
    await assert.rejects(loop.run(pid), code('recovery_pending'));
    repository.put(repository.head.files, ['units/**', 'integration/**']);
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });

  it('are not touched by an answer to another state of them', async () => {
    const { loop, pid, repository } = await afterKill();
    const [found] = await loop.recoveries();
    repository.disk.set('units/store/code/more.js', 'a person was here');
    const stale = loop.answerRecovery(pid, { action: 'reset_hard', snapshot: found?.snapshot ?? '' });
    await assert.rejects(stale, code('plan_stale'));
    assert.equal(repository.disk.get('units/store/code/more.js'), 'a person was here');
    const [now] = await loop.recoveries();
    assert.ok(now?.files.some(({ path }) => path === 'units/store/code/more.js'));
    await loop.answerRecovery(pid, { action: 'reset_hard', snapshot: now?.snapshot ?? '' });
    assert.ok(!repository.disk.has('units/store/code/more.js'));
  });

  it('are settled without a person where the settings choose', async () => {
    const { loop, pid, repository } = await afterKill({ recovery: { policy: 'reset_hard' } });
    await loop.settled(pid);
    assert.equal(repository.rescues.length, 1);
    assert.deepEqual(await loop.recoveries(), []);
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });

  it('can be asked about again where the chosen way failed', async () => {
    const { loop, pid, repository } = await afterKill();
    const [found] = await loop.recoveries();
    repository.failures = ['disk_full'];
    const answer = { action: 'commit_as_wip', snapshot: found?.snapshot ?? '' } as const;
    await assert.rejects(loop.answerRecovery(pid, answer), code('disk_full'));
    assert.ok((await loop.answerRecovery(pid, answer)).sha);
  });

  it('of a project that has none is an answer to nothing', async () => {
    const world = new FakeWorld();
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await assert.rejects(loop.answerRecovery(pid, { action: 'reset_hard', snapshot: 's' }), code('bad_state'));
  });
});
