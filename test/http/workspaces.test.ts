import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertProblem } from '../support/http-under-test.ts';
import { type WorkspacesUnderTest, workspacesUnderTest } from '../support/workspaces-under-test.ts';

describe('workspaces over HTTP', () => {
  let lab: WorkspacesUnderTest;
  before(async () => {
    lab = await workspacesUnderTest();
    lab.put('a.txt', 'one\n');
    lab.put('src/b.txt', 'two\n');
  });
  after(() => lab[Symbol.asyncDispose]());

  it('opening a folder again, also through a link, gives the same workspace with its settings', async () => {
    const { http, root, folder, ws } = lab;
    symlinkSync(root, join(folder, 'alias'));
    const again = await http.api('POST', '/workspaces', { path: join(folder, 'alias'), settings: { max_turns: 3 } });
    assert.equal(again.status, 201, again.text);
    assert.deepEqual(again.body, (await lab.at(200, 'GET ')).body);
    assert.deepEqual([again.body.id, again.body.root, again.body.settings.max_turns], [ws, root, undefined]);
    assert.deepEqual((await http.api('GET', '/workspaces')).body.items, [again.body]);
  });

  it('a new one has the name and settings that were given', async () => {
    const { http, folder } = lab;
    mkdirSync(join(folder, 'other'));
    const settings = { gitignore: false, exclude: ['*.log'], large_file_bytes: 5, max_age_days: 0.5 };
    const made = await http.api('POST', '/workspaces', { path: join(folder, 'other'), name: 'Other', settings });
    assert.deepEqual([made.body.name, made.body.settings], ['Other', { ...settings, include: [] }]);
    const page = (await http.api('GET', '/workspaces?limit=1')).body;
    const rest = (await http.api('GET', `/workspaces?limit=1&cursor=${page.next}`)).body;
    assert.deepEqual([page.items[0].id, rest.items[0].id, rest.next], [made.body.id, lab.ws, undefined]);
    assert.equal((await http.api('DELETE', `/workspaces/${made.body.id}`)).status, 204);
    assertProblem(await http.api('GET', `/workspaces/${made.body.id}`), 404, 'workspace_not_found');
    assert.ok(existsSync(join(folder, 'other')), 'the folder is not touched');
  });

  it('a change of settings counts from the next point on, and null puts one back', async () => {
    lab.put('trace.log', 'x');
    const changed = await lab.at(200, 'PATCH ', { name: 'Work', settings: { exclude: ['*.log'], max_turns: 7 } });
    assert.deepEqual([changed.body.name, changed.body.settings.max_turns], ['Work', 7]);
    const point = (await lab.at(201, 'POST /checkpoints', { reason: 'x' })).body;
    assert.deepEqual(point.left_out, [{ path: 'trace.log', reason: 'ignored' }]);
    const why = (await lab.at(200, 'GET /explain?path=trace.log')).body;
    assert.deepEqual([why.included, why.rule.pattern], [false, '*.log']);
    const back = await lab.at(200, 'PATCH ', { settings: { exclude: null, max_turns: null } });
    assert.deepEqual(back.body.settings, { gitignore: true, exclude: [], include: [] });
    assert.deepEqual((await lab.at(201, 'POST /checkpoints', { reason: 'x' })).body.left_out, []);
    assert.deepEqual((await lab.at(200, 'PATCH ', {})).body, back.body);
  });

  it('status, verify, prune and purge tell and do what the library does', async () => {
    lab.put('secret.txt', 'token');
    const { id } = (await lab.at(201, 'POST /checkpoints', { reason: 'x', name: 'keep' })).body;
    const status = (await lab.at(200, 'GET /status')).body;
    assert.equal(status.last.id, id);
    assert.deepEqual((await lab.at(200, 'POST /verify')).body.problems, []);
    assert.deepEqual((await lab.at(200, 'POST /purge', { path: 'secret.txt' })).body, { points: [id] });
    assert.equal(
      (await lab.http.api('GET', `/workspaces/${lab.ws}/checkpoints/${id}/file?path=secret.txt`)).status,
      404,
    );
    assert.equal(readFileSync(join(lab.root, 'secret.txt'), 'utf8'), 'token');
    assert.ok((await lab.at(200, 'POST /prune')).body.bytes_after > 0);
  });

  it('leaves out what a server keeps in a data folder inside of the workspace', async () => {
    lab.put('data/.devloop/token', 'secret');
    lab.put('data/companies/x', 'x');
    const { left_out, counts } = (await lab.at(201, 'POST /checkpoints', { reason: 'x' })).body;
    assert.deepEqual(left_out, [{ path: 'data/.devloop', reason: 'ignored' }]);
    assert.ok(counts.files > 1);
  });

  it('refuses folders that cannot be workspaces, and names nothing of other places', async () => {
    const { http, options, folder } = lab;
    for (const path of ['/', '/etc', options.home, join(options.stateDir, 'workspaces'), folder]) {
      const refused = await http.api('POST', '/workspaces', { path });
      assertProblem(refused, 422, 'workspace_refused');
      if (path.length > 1) assert.ok(!refused.body.detail.includes(path), refused.text);
    }
    assertProblem(await http.api('POST', '/workspaces', { path: join(folder, 'none') }), 404, 'workspace_not_found');
    for (const path of ['work', './work', '../work', '', '/a\0b', 7]) {
      assertProblem(await http.api('POST', '/workspaces', { path }), 422, 'validation_failed');
    }
    for (const settings of [{ exclude: ['a\nb'] }, { max_turns: 0 }, { nothing: 1 }, { gitignore: null }]) {
      const body = { path: lab.root, settings };
      assertProblem(await http.api('POST', '/workspaces', body), 422, 'validation_failed');
    }
  });

  it('a folder that moved gets its history back where it is now', async () => {
    const { http, folder } = lab;
    mkdirSync(join(folder, 'before'));
    const { id } = (await http.api('POST', '/workspaces', { path: join(folder, 'before') })).body;
    await http.api('POST', `/workspaces/${id}/checkpoints`, { reason: 'kept' });
    renameSync(join(folder, 'before'), join(folder, 'after'));
    for (const path of ['/checkpoints', '/turns', '']) {
      assert.equal((await http.api('GET', `/workspaces/${id}${path}`)).status, 200, path);
    }
    for (const [method, path, body] of [
      ['GET', '/status', undefined],
      ['POST', '/checkpoints', { reason: 'x' }],
      ['POST', '/restores', { turn_offset: 0 }],
    ] as const) {
      const gone = await http.api(method, `/workspaces/${id}${path}`, body);
      assert.ok(gone.status === 404 || gone.status === 409, `${path}: ${gone.text}`);
    }
    const moved = await http.api('POST', '/workspaces', { path: join(folder, 'after'), attach: id });
    assert.equal(moved.body.root, join(folder, 'after'));
    const { items } = (await http.api('GET', `/workspaces/${moved.body.id}/checkpoints`)).body;
    assert.deepEqual(
      items.map(({ reason }: { reason: string }) => reason),
      ['kept'],
    );
    assertProblem(await http.api('GET', `/workspaces/${id}`), 404, 'workspace_not_found');
    assertProblem(await http.api('POST', '/workspaces', { path: lab.root, attach: moved.body.id }), 409, 'conflict');
  });

  it('an id that is none, or of nothing, is not found', async () => {
    for (const id of ['x', '..%2f..', '0'.repeat(33), `${'0'.repeat(16)}-${'0'.repeat(16)}`, '%00']) {
      assertProblem(await lab.http.api('GET', `/workspaces/${id}`), 404, 'workspace_not_found');
    }
    const none = '20260101t000000000-000000';
    for (const [call, code] of [
      [`GET /checkpoints/${none}`, 'point_not_found'],
      ['GET /checkpoints/x', 'point_not_found'],
      [`GET /checkpoints/${none}/diff`, 'point_not_found'],
      [`POST /turns/${none}/end`, 'not_found'],
      [`POST /restores/${none}/undo`, 'not_found'],
      ['POST /restores/..%2f..%2fworkspace/undo', 'not_found'],
    ] as const) {
      const [method = '', path = ''] = call.split(' ');
      assertProblem(await lab.http.api(method, `/workspaces/${lab.ws}${path}`), 404, code);
    }
    assertProblem(await lab.http.api('PUT', `/workspaces/${lab.ws}`), 405, 'method_not_allowed');
  });

  it('a store that somebody took parts of is made whole, or says which file cannot be read', async () => {
    const { http, folder, options } = lab;
    mkdirSync(join(folder, 'broken'));
    const { id } = (await http.api('POST', '/workspaces', { path: join(folder, 'broken') })).body;
    const store = join(options.stateDir, 'workspaces', ...id.split('-'));
    await lab.service.close();
    rmSync(join(store, 'exclude'));
    assert.equal((await http.api('GET', `/workspaces/${id}/status`)).status, 200);
    await lab.service.close();
    writeFileSync(join(store, 'workspace.json'), '{');
    assertProblem(await http.api('GET', `/workspaces/${id}/status`), 500, 'store_damaged');
    rmSync(store, { recursive: true });
    await lab.at(200, 'GET /status');
  });
});
