import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { codesOf, openApiDocument, placeOf } from '../../server/http/openapi.ts';
import { ROUTES } from '../../server/http/routes/all-routes.ts';
import { checkResponse } from '../support/check-response.ts';
import { atRest, gitIn, type ProjectAnswer, startDemoProject } from '../support/demo-project.ts';
import { type GeneratedRequest, partBelow, requestsOf } from '../support/openapi-requests.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

const REQUESTS = 5000;
/** What an empty id leads to: another address. */
const ELSEWHERE: ReadonlySet<string> = new Set(['not_found', 'method_not_allowed']);
const undeclared = new Set<string>();
const folder = mkdtempSync(join(tmpdir(), 'devloop-generated-'));
let server: RunningServer;
let shipped: ProjectAnswer;
let blocked: ProjectAnswer;

before(async () => {
  server = await startServer(join(folder, 'data'), folder);
  shipped = await atRest(server, await startDemoProject(server, 'phase0'));
  // No recording answers it, so that whatever starts it comes to an end soon.
  const { body } = await server.api('POST', '/api/devloop/projects', { requirement: 'Nothing that was recorded' });
  blocked = body;
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(`a running server answers ${REQUESTS} requests made from the document without a 500, as the document says`, async () => {
  const { items: runs } = (await server.api('GET', `/api/devloop/projects/${shipped.pid}/runs`)).body;
  const { items: commits } = (await server.api('GET', `/api/devloop/projects/${shipped.pid}/commits`)).body;
  const known = {
    pid: [shipped.pid, blocked.pid],
    unit: ['counter'],
    run: runs.map(({ id }: { id: string }) => id),
    id: ['r1'],
    rev: ['main', 'HEAD', 'prd-rev-1', commits[1].sha, commits[0].sha.slice(0, 8), 'attempts/counter/1/1'],
  };
  const fixed = {
    team: [undefined, { default: { driver: 'recorded' } }],
    ref: ['HEAD', 'main', commits[1].sha, 'nothing', '--output=x', '', undefined],
    path: [undefined, '', 'units', 'prd/prd.md', '../x', '/etc/passwd', 'a\0b', '.git/config'],
  };
  const head = gitIn(shipped.path, folder)('rev-parse', 'HEAD~3');
  const seen = new Map<number, number>();
  const requests = requestsOf(partBelow(openApiDocument('0'), '/api/devloop'), known, fixed);
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      // Both are needed to the end.
      if (request.method === 'DELETE' && known.pid.some((pid) => request.path.endsWith(pid))) return;
      const status = await answered(request);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  assert.deepEqual([...undeclared], []);
  for (const status of [200, 201, 404, 409, 422]) assert.ok((seen.get(status) ?? 0) > 20, JSON.stringify([...seen]));
  const git = gitIn(shipped.path, folder);
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
  assert.equal(git('merge-base', '--is-ancestor', head, 'HEAD'), '', 'its history is what it was, and more');
  assert.equal((await server.api('GET', '/healthz')).status, 200);
});

/** Sends it and holds the answer against the document. */
async function answered({ method, path, template, body, headers }: GeneratedRequest): Promise<number> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${server.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (template.endsWith('/events') && answer.ok) {
    await answer.body?.cancel();
    return answer.status;
  }
  const text = await answer.text();
  assert.ok(answer.status < 500, text);
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  if (answer.ok) {
    if (isJson) checkResponse(method, path, answer.status, JSON.parse(text));
    return answer.status;
  }
  const { code } = JSON.parse(text);
  assert.ok(ERROR_CODES.includes(code), text);
  const route = ROUTES.find((one) => placeOf(one).address === template && placeOf(one).method === method.toLowerCase());
  if (!route || !(codesOf(route).includes(code) || ELSEWHERE.has(code)))
    undeclared.add(`${method} ${template}: ${code} (${path})`);
  return answer.status;
}
