import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { contentOf, diskSnapshot } from '../support/disk-snapshot.ts';
import { assertProblem } from '../support/http-under-test.ts';
import { type WorkspacesUnderTest, workspacesUnderTest } from '../support/workspaces-under-test.ts';

const paths = (rows: readonly { readonly path: string }[]): string[] => rows.map(({ path }) => path);

describe('restores over HTTP', () => {
  let lab: WorkspacesUnderTest;
  let point: string;
  beforeEach(async () => {
    lab = await workspacesUnderTest();
    lab.put('a.txt', 'one\n');
    lab.put('src/b.txt', 'two\n');
    lab.put('run.sh', 'x');
    point = (await lab.at(201, 'POST /checkpoints', { reason: 'before' })).body.id;
  });
  afterEach(() => lab[Symbol.asyncDispose]());
  const refused = (body: unknown) => lab.http.api('POST', `/workspaces/${lab.ws}/restores`, body);

  it('are listed when they were applied, newest first, with the point of the state before', async () => {
    const list = async () => (await lab.at(200, 'GET /restores')).body.items;
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    const { id, digest } = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
    assert.deepEqual(await list(), []);
    const { pre } = (await lab.at(200, `POST /restores/${id}/apply`, { digest })).body;
    const [applied] = await list();
    assert.deepEqual({ ...applied, applied_at: '' }, { id, point, changed: 1, pre, applied_at: '' });
    await lab.at(200, `POST /restores/${id}/undo`);
    const [undone, ...others] = await list();
    assert.deepEqual([undone.undoes, undone.point, others.length], [id, pre, 1]);
    const first = (await lab.at(200, 'GET /restores?limit=1')).body;
    assert.equal(first.items.length, 1);
    assert.equal((await lab.at(200, `GET /restores?cursor=${first.next}`)).body.items[0].id, id);
  });

  it('plan, apply, undo and the undo of the undo do exactly what the plan says, to the path', async () => {
    const saved = lab.files();
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    rmSync(join(lab.root, 'src'), { recursive: true });
    lab.put('new/c.txt', 'new\n');
    await lab.at(201, 'POST /checkpoints', { reason: 'holds new/c.txt' });
    const edited = lab.files();
    const plan = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
    assert.deepEqual(
      [paths(plan.adds), paths(plan.overwrites), paths(plan.deletes), plan.modes, plan.kept, plan.blocked, plan.bytes],
      [['src/b.txt'], ['a.txt'], ['new/c.txt'], [], [], [], 8],
    );
    assert.deepEqual(lab.files(), edited, 'nothing was written');
    const { id, digest } = plan;
    const report = (await lab.at(200, `POST /restores/${id}/apply`, { digest })).body;
    assert.deepEqual([paths(report.rows), report.skipped], [['a.txt', 'new/c.txt', 'src/b.txt'], []]);
    assert.deepEqual(lab.files(), saved);
    const pre = (await lab.at(200, `GET /checkpoints/${report.pre}`)).body;
    assert.equal(pre.phase, 'PRE_RESTORE');
    const undone = (await lab.at(200, `POST /restores/${id}/undo`)).body;
    assert.deepEqual(lab.files(), edited);
    await lab.at(200, `POST /restores/${undone.id}/undo`);
    assert.deepEqual(lab.files(), saved);
    const again = await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest });
    assertProblem(again, 409, 'bad_state');
  });

  it('a plan that is out of date is refused with what moved, and nothing is written', async () => {
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    const { id, digest } = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
    writeFileSync(join(lab.root, 'a.txt'), 'edited again\n');
    writeFileSync(join(lab.root, 'src/b.txt'), 'too\n');
    const stale = await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest });
    assertProblem(stale, 409, 'plan_stale');
    assert.deepEqual(stale.body.moved, [{ path: 'a.txt' }, { path: 'src/b.txt' }]);
    assert.equal(readFileSync(join(lab.root, 'a.txt'), 'utf8'), 'edited again\n');
    const other = await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest: 'x' });
    assertProblem(other, 409, 'plan_stale');
  });

  it('only chosen paths go back, names in bytes too', async () => {
    const name = Buffer.from(`${lab.root}/na\xffme`, 'latin1');
    writeFileSync(name, 'bytes');
    const both = (await lab.at(201, 'POST /checkpoints', { reason: 'x' })).body.id;
    for (const file of ['a.txt', 'src/b.txt']) writeFileSync(join(lab.root, file), 'edited');
    writeFileSync(name, 'edited');
    const path_b64 = Buffer.from('na\xffme', 'latin1').toString('base64');
    const only = ['src', { path: 'na?me', path_b64 }];
    const { id, digest, overwrites } = (await lab.at(201, 'POST /restores', { checkpoint: both, only })).body;
    assert.deepEqual(overwrites, [{ path: 'na\ufffdme', path_b64 }, { path: 'src/b.txt' }]);
    await lab.at(200, `POST /restores/${id}/apply`, { digest });
    assert.equal(readFileSync(name, 'utf8'), 'bytes');
    assert.equal(readFileSync(join(lab.root, 'a.txt'), 'utf8'), 'edited');
    assert.equal(readFileSync(join(lab.root, 'src/b.txt'), 'utf8'), 'two\n');
  });

  it('a new folder gets a point whole, or some paths of it, by a plan of its own', async () => {
    const saved = lab.files();
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    const path = join(lab.folder, 'copy');
    const plan = (await lab.at(201, 'POST /restores', { checkpoint: point, target: 'new', path })).body;
    assert.deepEqual([paths(plan.adds), plan.overwrites], [['a.txt', 'run.sh', 'src/b.txt'], []]);
    assert.equal(existsSync(path), false, 'nothing was written');
    const report = (await lab.at(200, `POST /restores/${plan.id}/apply`, { digest: plan.digest })).body;
    assert.deepEqual([report.rows.length, report.pre], [3, undefined]);
    assert.deepEqual(contentOf(diskSnapshot(path)), saved);
    assert.equal(readFileSync(join(lab.root, 'a.txt'), 'utf8'), 'edited\n');
    const undo = await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${plan.id}/undo`);
    assertProblem(undo, 409, 'bad_state');
    const part = { checkpoint: point, target: 'new', path: join(lab.folder, 'part'), only: ['src'] };
    const some = (await lab.at(201, 'POST /restores', part)).body;
    await lab.at(200, `POST /restores/${some.id}/apply`, { digest: some.digest });
    assert.deepEqual(readdirSync(join(lab.folder, 'part'), { recursive: true }).sort(), ['src', 'src/b.txt']);
  });

  it('a folder that is not new when it is written is left alone', async () => {
    const path = join(lab.folder, 'copy');
    const { id, digest } = (await lab.at(201, 'POST /restores', { checkpoint: point, target: 'new', path })).body;
    mkdirSync(path);
    writeFileSync(join(path, 'mine'), 'mine');
    const late = await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest });
    assertProblem(late, 409, 'conflict');
    rmSync(path, { recursive: true });
    symlinkSync(lab.root, path);
    assertProblem(
      await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest }),
      409,
      'conflict',
    );
    assert.deepEqual(readdirSync(lab.root).sort(), ['a.txt', 'run.sh', 'src']);
  });

  it('a new folder must have a place of its own', async () => {
    const { folder, options, root } = lab;
    mkdirSync(join(root, '.git'));
    symlinkSync(options.stateDir, join(folder, 'state-link'));
    const cases = [
      [root, 409, 'conflict'],
      ['/', 422, 'workspace_refused'],
      ['/etc', 422, 'workspace_refused'],
      [options.home, 422, 'workspace_refused'],
      [join(options.stateDir, 'x'), 422, 'workspace_refused'],
      [join(folder, 'state-link/x'), 422, 'workspace_refused'],
      [join(root, '.git/x'), 422, 'workspace_refused'],
      [join(root, '.git'), 422, 'workspace_refused'],
      [join(folder, 'no/such/place'), 404, 'not_found'],
    ] as const;
    for (const [path, status, code] of cases) {
      assertProblem(await refused({ checkpoint: point, target: 'new', path }), status, code);
    }
  });

  it('what does not go together, or is no path of the folder, is refused', async () => {
    const path = join(lab.folder, 'copy');
    for (const body of [
      {},
      { checkpoint: point, turn_offset: 0 },
      { checkpoint: 'x' },
      { turn_offset: -1 },
      { checkpoint: point, path },
      { checkpoint: point, target: 'new' },
      { checkpoint: point, target: 'new', path: 'copy' },
      { checkpoint: point, target: 'new', path, scope: 'agent' },
      { checkpoint: point, only: [] },
      { checkpoint: point, scope: 'some' },
    ]) {
      assertProblem(await refused(body), 422, 'validation_failed');
    }
    for (const only of ['../x', '/etc', 'a/../b', 'a//b', '', 'a\0', { path: '', path_b64: btoa('../x') }]) {
      assertProblem(await refused({ checkpoint: point, only: [only] }), 422, 'path_refused');
    }
    assertProblem(await refused({ checkpoint: '20260101t000000000-000000' }), 404, 'point_not_found');
    assertProblem(await refused({ turn_offset: 0 }), 409, 'nothing_to_restore');
    assertProblem(await refused({ checkpoint: point, scope: 'agent' }), 409, 'bad_state');
  });

  it('nothing is written through a link that was put in the place of a folder', async () => {
    const outside = join(lab.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'b.txt'), 'mine\n');
    rmSync(join(lab.root, 'src'), { recursive: true });
    symlinkSync(outside, join(lab.root, 'src'));
    const { id, digest } = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
    await lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest });
    assert.equal(readFileSync(join(outside, 'b.txt'), 'utf8'), 'mine\n');
  });

  it('two sessions at once: one plan is applied, the other is out of date, and no file is half of each', async () => {
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    const other = (await lab.at(201, 'POST /checkpoints', { reason: 'other' })).body.id;
    writeFileSync(join(lab.root, 'a.txt'), 'third\n');
    const plans = await Promise.all(
      [point, other].map(async (checkpoint) => (await lab.at(201, 'POST /restores', { checkpoint })).body),
    );
    const answers = await Promise.all(
      plans.map(({ id, digest }) => lab.http.api('POST', `/workspaces/${lab.ws}/restores/${id}/apply`, { digest })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const won = answers.findIndex(({ status }) => status === 200);
    assert.equal(readFileSync(join(lab.root, 'a.txt'), 'utf8'), ['one\n', 'edited\n'][won]);
    assertProblem(answers[1 - won] ?? assert.fail(), 409, 'plan_stale');
  });

  it('what does not differ keeps its time', async () => {
    const before = statSync(join(lab.root, 'src/b.txt')).mtimeMs;
    writeFileSync(join(lab.root, 'a.txt'), 'edited\n');
    const { id, digest } = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
    await lab.at(200, `POST /restores/${id}/apply`, { digest });
    assert.equal(statSync(join(lab.root, 'src/b.txt')).mtimeMs, before);
  });
});
