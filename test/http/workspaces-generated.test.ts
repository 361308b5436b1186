import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { codesOf, openApiDocument, placeOf } from '../../server/http/openapi.ts';
import { ROUTES } from '../../server/http/routes/all-routes.ts';
import { checkResponse } from '../support/check-response.ts';
import { TOKEN } from '../support/http-under-test.ts';
import { partBelow, requestsOf } from '../support/openapi-requests.ts';
import { workspacesUnderTest } from '../support/workspaces-under-test.ts';

const HOSTILE = [
  '',
  '.',
  '..',
  '../x',
  '../outside/mine',
  '/etc/passwd',
  'a/../../outside',
  'a//b',
  'link/mine',
  'a\0b',
  '.git/config',
];

it('600 requests made from the document over a real folder find no 500, no undeclared problem, and nothing outside of it', async () => {
  await using lab = await workspacesUnderTest();
  const { http, folder, root, ws } = lab;
  const outside = join(folder, 'outside');
  lab.put('../../outside/mine', 'mine');
  lab.put('a.txt', 'one\n');
  lab.put('src/b.txt', 'two\n');
  const point = (await lab.at(201, 'POST /checkpoints', { reason: 'first' })).body.id;
  const { turn } = (await lab.at(201, 'POST /turns', {})).body;
  const plan = (await lab.at(201, 'POST /restores', { checkpoint: point })).body;
  const known = { ws: [ws], id: [point, plan.id], turn: [turn] };
  const fixed = {
    path: [root, join(root, 'inner'), outside, join(folder, 'no/such'), 'a.txt', 'src', ...HOSTILE],
    path_b64: ['a.txt', '../outside/mine', 'na\xffme'].map((path) => btoa(path)),
    only: [undefined, ['src'], ...HOSTILE.map((path) => [path])],
    checkpoint: [undefined, point],
    digest: [plan.digest, 'x'],
    attach: [undefined],
    against: ['now', point],
  };
  const document = partBelow(openApiDocument('0'), '/api/workspaces');
  const collection = { ...((openApiDocument('0').paths as Record<string, unknown>)['/api/workspaces'] as object) };
  const whole = { ...document, paths: { ...(document.paths as object), '/api/workspaces': collection } };
  const seen = new Map<number, number>();
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(requestsOf(whole, known, fixed), async ({ method, path, template, body, headers }) => {
      // The history is not deleted, or the rest would find nothing.
      if (method === 'DELETE') return;
      writeFileSync(join(root, 'a.txt'), `edit ${edits++}\n`);
      const answer = await fetch(http.url + path, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      const text = await answer.text();
      assert.ok(answer.status < 500, text);
      if (answer.ok) {
        if (answer.headers.get('content-type')?.includes('json'))
          checkResponse(method, path, answer.status, JSON.parse(text));
        return;
      }
      const route = ROUTES.find(
        (one) => placeOf(one).address === template && placeOf(one).method === method.toLowerCase(),
      );
      const { code } = JSON.parse(text);
      assert.ok(route !== undefined && codesOf(route).includes(code), `${method} ${template} does not declare ${code}`);
    }),
    { numRuns: 600 },
  );
  await lab.service.close();
  for (const status of [200, 201, 404, 422]) assert.ok((seen.get(status) ?? 0) > 20, JSON.stringify([...seen]));
  assert.deepEqual(readdirSync(outside), ['mine']);
  assert.equal(readFileSync(join(outside, 'mine'), 'utf8'), 'mine');
  assert.equal(existsSync(join(folder, 'no')), false);
  assert.deepEqual(readdirSync(folder).sort(), ['home', 'outside', 'state', 'user']);
  assert.deepEqual([http.logged, lab.logged], [[], []]);
});
