import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { atRest, gitIn, startDemoProject } from '../support/demo-project.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

describe('bad input gets a problem with a code and loses nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-bad-'));
  let server: RunningServer;
  let pid: string;
  let head: string;
  let path: string;
  before(async () => {
    server = await startServer(join(folder, 'data'), folder);
    pid = await startDemoProject(server, 'phase0');
    ({ path } = await atRest(server, pid));
    head = gitIn(path, folder)('rev-parse', 'HEAD');
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const problem = async (method: string, route: string, body: unknown, status: number, code: string) => {
    const answer = await server.api(method, `/api/devloop${route}`, body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.code, code);
    assert.equal(typeof answer.body.detail, 'string');
    assert.equal(gitIn(path, folder)('rev-parse', 'HEAD'), head);
  };

  it('an unknown project is not found', () =>
    problem('GET', '/projects/p-00000000', undefined, 404, 'project_not_found'));
  it('an id that climbs is no project', async () => {
    const answer = await server.api('GET', '/api/devloop/projects/..%2f..%2fetc/timeline');
    assert.ok([404, 422].includes(answer.status));
    assert.ok(answer.body.code);
  });
  it('a ref with a leading dash is refused', () =>
    problem('GET', `/projects/${pid}/diff?from=--output=x&to=HEAD`, undefined, 422, 'ref_invalid'));
  it('a ref that is not there is not found', () =>
    problem('GET', `/projects/${pid}/archive?ref=nothing&format=zip`, undefined, 404, 'ref_not_found'));
  it('a body that is not JSON is refused', async () => {
    const answer = await fetch(`${server.url}/api/devloop/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: '{"requirement": ',
    });
    assert.equal(answer.status, 400);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  });
  it('a body of another type is refused with a hint', async () => {
    const answer = await fetch(`${server.url}/api/devloop/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'text/plain' },
      body: '{"requirement": "x"}',
    });
    assert.equal(answer.status, 415);
  });
  it('a body over 256 kB is refused', () =>
    problem('POST', '/projects', { requirement: 'x'.repeat(300_000) }, 413, 'body_too_large'));
  it('a run of a project that runs is refused', async () => {
    const other = await startDemoProject(server);
    const again = await server.api('POST', `/api/devloop/projects/${other}/run`);
    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'already_running');
    assert.equal((await atRest(server, other)).status, 'shipped');
  });
  it('a project whose folder was deleted is not found, and the server goes on', async () => {
    const gone = await startDemoProject(server, 'phase0');
    const project = await atRest(server, gone);
    rmSync(project.path, { recursive: true });
    const answer = await server.api('GET', `/api/devloop/projects/${gone}/commits`);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, 'project_not_found');
    assert.equal((await server.api('GET', '/healthz')).status, 200);
    assert.equal(existsSync(project.path), false, 'nothing makes the folder again');
  });
  it('a project whose folder is deleted while it runs ends, and the server goes on', async () => {
    const gone = await startDemoProject(server);
    const { body } = await server.api('GET', `/api/devloop/projects/${gone}`);
    rmSync((body as { path: string }).path, { recursive: true, maxRetries: 20, retryDelay: 50 });
    for (let i = 0; i < 200; i++) {
      const answer = await server.api('GET', `/api/devloop/projects/${gone}`);
      if (answer.status === 404 || answer.body.status !== 'running') break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const answer = await server.api('GET', `/api/devloop/projects/${gone}`);
    assert.ok(answer.status === 404 || answer.body.status === 'blocked', JSON.stringify(answer.body));
    assert.equal((await server.api('GET', '/healthz')).status, 200);
  });
});
