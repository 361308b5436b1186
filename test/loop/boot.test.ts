import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import { LoopController } from '../../server/loop/index.ts';
import { FakeProject, FakeWorld, Life } from '../support/fake-world.ts';

const code = (wanted: string) => (error: unknown) => isDevLoopError(error) && error.code === wanted;

async function shippedWorld(count = 1) {
  const world = new FakeWorld();
  const loop = new LoopController(world.ports());
  for (let i = 0; i < count; i++) {
    const { pid } = await loop.create({ requirement: `list ${i}` });
    await loop.run(pid);
    await loop.settled(pid);
  }
  await loop.stop();
  return world;
}

describe('a start', () => {
  it('finds every project as it was left, and notes nothing where nothing happened', async () => {
    const world = await shippedWorld(2);
    const before = world.only.journal.length;
    const loop = new LoopController(world.ports());
    await loop.boot();
    const projects = await loop.list();
    assert.deepEqual(projects.map(({ status, requirement }) => [status, requirement]).sort(), [
      ['shipped', 'list 0'],
      ['shipped', 'list 1'],
    ]);
    assert.equal(world.only.journal.length, before);
  });

  it('answers for one project while the others are still to be looked at', async () => {
    const world = await shippedWorld(2);
    const [first, second] = world.projects.keys();
    assert.ok(first !== undefined && second !== undefined);
    const ports = world.ports();
    const held = Promise.withResolvers<void>();
    const inspect = ports.vault.inspect.bind(ports.vault);
    const vault = Object.assign(Object.create(ports.vault), {
      inspect: async (pid: typeof first) => {
        if (pid === first) await held.promise;
        return inspect(pid);
      },
    });
    const loop = new LoopController({ ...ports, vault });
    const booted = loop.boot();
    assert.equal((await loop.project(second)).status, 'shipped');
    assert.equal((await loop.list()).length, 2);
    held.resolve();
    await booted;
  });

  it('leaves requests their turn, although looking at a project never waits for anything', async () => {
    const world = await shippedWorld(12);
    const loop = new LoopController(world.ports());
    let [turns, ended] = [0, false];
    const other = async () => {
      while (!ended) {
        turns++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const others = other();
    await loop.boot();
    ended = true;
    await others;
    assert.ok(turns >= 4, `${turns} turns`);
  });

  it('appends the ledger entries that a killed server had journalled and not told', async () => {
    const world = await shippedWorld();
    const told = world.only.ledger.splice(-3);
    const loop = new LoopController(world.ports());
    await loop.boot();
    assert.deepEqual(world.only.ledger.slice(-3), told);
  });

  it('finishes the creation of a project whose first commit was not made', async () => {
    const world = new FakeWorld();
    const life = new Life(5);
    void new LoopController(world.ports(life)).create({ requirement: 'a list' });
    await life.died;
    assert.equal(world.only.repository.commits.length, 0);
    assert.equal(world.only.journal.length, 1);
    const loop = new LoopController(world.ports());
    await loop.boot();
    const { pid } = world.only.folder;
    assert.match(world.only.repository.subjects[0] ?? '', /^init: /);
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });

  it('tells of a folder that was not made here, and goes on', async () => {
    const world = await shippedWorld();
    const pid = parseProjectId('p-stranger');
    world.projects.set(pid, new FakeProject({ pid, cid: parseCompanyId('default'), root: '/data/p-stranger' }));
    const loop = new LoopController(world.ports());
    await loop.boot();
    assert.equal((await loop.list()).length, 1);
    assert.ok(world.warnings.some((text) => text.includes('not made here') && text.includes('p-stranger')));
    await assert.rejects(loop.project(pid), code('project_not_found'));
  });

  it('goes on beside a project whose journal is damaged, and says so when it is asked for', async () => {
    const world = await shippedWorld(2);
    world.only.journal[3] = { schema: 2 };
    const loop = new LoopController(world.ports());
    await loop.boot();
    assert.equal((await loop.list()).length, 1);
    await assert.rejects(loop.project(world.only.folder.pid), code('journal_damaged'));
    assert.ok(world.warnings.some((text) => text.includes('could not be opened')));
  });

  it('blocks a project whose repository cannot be read, and still shows it', async () => {
    const world = new FakeWorld();
    const first = new LoopController(world.ports());
    const { pid } = await first.create({ requirement: 'a list' });
    await first.stop();
    const ports = world.ports();
    const broken = () => Promise.reject(new DevLoopError('vault_damaged', '.git is gone'));
    const vault = Object.assign(Object.create(ports.vault), { inspect: broken, head: broken });
    const loop = new LoopController({ ...ports, vault });
    await loop.boot();
    const view = await loop.project(pid);
    assert.deepEqual(
      [view.status, view.reason, view.detail],
      ['blocked', 'vault_damaged', 'vault_damaged: .git is gone'],
    );
  });
});
