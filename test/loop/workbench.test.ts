import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import { Workbench } from '../../server/loop/workbench.ts';
import { FakeProject, FakeWorld, Life } from '../support/fake-world.ts';

const pid = parseProjectId('p-bench');
const A = { own: ['units/a/code/**'], reach: ['units/a/**'] };
const B = { own: ['units/b/code/**'], reach: ['units/b/**'] };

describe('the workbench', () => {
  let life: Life;
  let disk: Map<string, string>;
  let bench: Workbench;
  let ports: ReturnType<FakeWorld['ports']>;
  beforeEach(() => {
    const world = new FakeWorld();
    const project = new FakeProject({ pid, cid: parseCompanyId('default'), root: '/data/p-bench' });
    world.projects.set(pid, project);
    disk = project.repository.disk;
    disk.set('prd/prd.md', 'prd');
    life = new Life();
    ports = world.ports(life);
    bench = new Workbench(ports, pid);
  });

  const count = (name: string) => life.ops.filter((op) => op === `vault.${name}`).length;

  it('holds one baseline from the first begin to the last end', async () => {
    await bench.begin('a', A);
    await bench.begin('b', B);
    await bench.end('a');
    assert.deepEqual([count('takeBaseline'), count('seal'), count('dropBaseline')], [1, 1, 0]);
    await bench.end('b');
    assert.equal(count('dropBaseline'), 1);
  });

  it('tells what was changed inside, and puts back what was changed outside', async () => {
    await bench.begin('a', A);
    disk.set('units/a/code/x.js', 'new');
    disk.set('units/a/notes.txt', 'new');
    disk.delete('prd/prd.md');
    const { changed, strays } = await bench.end('a');
    assert.deepEqual(
      changed.map(({ path, change }) => [path, change]),
      [['units/a/code/x.js', 'added']],
    );
    assert.deepEqual(
      strays.map(({ path }) => path),
      ['prd/prd.md', 'units/a/notes.txt'],
    );
    assert.equal(disk.get('prd/prd.md'), 'prd');
    assert.ok(!disk.has('units/a/notes.txt'));
  });

  it('leaves what is in the reach of other work to that work', async () => {
    await bench.begin('a', A);
    await bench.begin('b', B);
    disk.set('units/b/notes.txt', 'of b');
    assert.deepEqual((await bench.end('a')).strays, []);
    assert.deepEqual(
      (await bench.end('b')).strays.map(({ path }) => path),
      ['units/b/notes.txt'],
    );
  });

  it('does not hold against later work what was judged before', async () => {
    await bench.begin('a', A);
    await bench.begin('b', B);
    disk.set('units/a/code/x.js', 'new');
    await bench.end('a');
    assert.deepEqual((await bench.end('b')).strays, []);
  });

  it("moves the baseline on with each write of the server's own", async () => {
    await bench.begin('a', A);
    await bench.write('units/b/runs/r-1/result.json', '{}');
    await bench.tell(1, { events: [{ kind: 'project_status', status: 'running' }], source: 'user' });
    assert.deepEqual((await bench.end('a')).strays, []);
  });

  it('starts work from a revision of its files', async () => {
    const { repository } = new FakeProject({ pid, cid: parseCompanyId('default'), root: '' });
    assert.equal(repository.commits.length, 0);
    await bench.begin('other', B);
    disk.set('units/a/code/half.js', 'half');
    const from = { rev: 'nowhere', files: ['units/a/**'] };
    await assert.rejects(bench.begin('a', { ...A, from }), (error) => error instanceof DevLoopError);
    assert.equal(count('dropBaseline'), 0, 'other work goes on');
    await bench.end('other');
    assert.equal(count('dropBaseline'), 1, 'work that could not begin is not waited for');
  });

  it('puts back what a test command leaves in the midst of a call, and still judges what the call left before', async () => {
    await bench.begin('a', A);
    disk.set('prd/prd.md', 'by the call');
    await bench.aside('a', async () => {
      disk.set('units/a/coverage.txt', 'by the tests');
    });
    assert.ok(!disk.has('units/a/coverage.txt'));
    assert.deepEqual(
      (await bench.end('a')).strays.map(({ path }) => path),
      ['prd/prd.md'],
    );
  });
});
