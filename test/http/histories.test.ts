import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decrypted, newKey } from '../../server/workspace/histories/age.ts';
import { allOf, inPieces } from '../contracts/large-objects.ts';
import { TOKEN } from '../support/http-under-test.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { workspacesUnderTest } from '../support/workspaces-under-test.ts';

test('histories are switched on by settings, told of in points, and downloaded as they are kept', async () => {
  await using lab = await workspacesUnderTest();
  const { recipient, identity } = await newKey();
  for (const path of ['', 'lib']) {
    mkdirSync(join(lab.root, path), { recursive: true });
    rawGit(join(lab.root, path), ['init', '-q']);
    rawGit(join(lab.root, path), ['commit', '-qm', `in ${path}`, '--allow-empty']);
  }
  await lab.at(422, 'PATCH ', { settings: { nested_history: true } });
  await lab.at(422, 'PATCH ', { settings: { history_recipients: [identity] } });
  await lab.at(200, 'PATCH ', { settings: { nested_history: true, history_recipients: [recipient] } });
  const { body: point } = await lab.at(201, 'POST /checkpoints', { reason: 'x' });
  const rows = point.nested.map((row: { path: string; history: { size: number } }) => [row.path, row.history.size > 0]);
  assert.deepEqual(rows, [
    ['', true],
    ['lib', true],
  ]);
  for (const [path, refs] of [
    ['', 2],
    ['?path=lib', 2],
  ] as const) {
    const url = `${lab.http.url}/api/workspaces/${lab.ws}/checkpoints/${point.id}/history${path}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-disposition') ?? '', /\.bundle\.age/);
    const bytes = Buffer.from(await response.arrayBuffer());
    const bundle = (await allOf(decrypted(inPieces(bytes), [identity]))).toString('latin1');
    assert.match(bundle, /^# v2 git bundle\n/);
    assert.equal(bundle.slice(0, bundle.indexOf('\n\n')).split('\n').length - 1, refs);
  }
  await lab.at(404, `GET /checkpoints/${point.id}/history?path=none`);
  await lab.at(422, `GET /checkpoints/${point.id}/history?path=../x`);
});

test('where the large files are is told and changed over HTTP; without a bucket a move is refused', async () => {
  await using lab = await workspacesUnderTest();
  lab.put('big', 'x'.repeat(200_000));
  await lab.at(201, 'POST /checkpoints', { reason: 'x' });
  const { body } = await lab.at(200, 'GET /objects');
  assert.deepEqual([body.kind, body.needed], ['folder', { objects: 1, bytes: 200_000 }]);
  assert.equal((await lab.at(200, 'POST /objects', { to: 'folder' })).body.copied, 0);
  assert.equal((await lab.at(422, 'POST /objects', { to: 'bucket' })).body.code, 'config_invalid');
  await lab.at(422, 'POST /objects', { to: 'cellar' });
});
