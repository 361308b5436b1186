import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startServer } from '../support/running-server.ts';

const OPENS = 3000;
const LIMIT = 2000;

it(`of ${OPENS} event streams ${LIMIT} are opened, the others are refused, and the server answers meanwhile and afterwards`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-streams-'));
  const server = await startServer(join(folder, 'data'), folder);
  const headers = { authorization: `Bearer ${server.token}` };
  const requests: ClientRequest[] = [];
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(`${server.url}/api/devloop/events`, { agent: false, headers }, resolve);
      requests.push(request.on('error', reject));
    });
  const answers: (number | undefined)[] = [];
  for (let i = 0; i < OPENS; i += 100) {
    const some = await Promise.all(Array.from({ length: 100 }, open));
    answers.push(...some.map(({ statusCode }) => statusCode));
  }
  assert.equal(answers.filter((status) => status === 200).length, LIMIT);
  assert.equal(answers.filter((status) => status === 429).length, OPENS - LIMIT);
  assert.equal((await server.api('GET', '/healthz')).status, 200);
  for (const request of requests) request.on('error', () => {}).destroy();
  let left = -1;
  while (left !== 0) {
    const { body } = await server.api('GET', '/metrics');
    left = Number(/^devloop_event_streams_open (\d+)$/m.exec(body)?.[1]);
  }
  const again = await open();
  assert.equal(again.statusCode, 200);
  again.destroy();
  assert.equal(await server.stop(), 0);
  rmSync(folder, { recursive: true, force: true });
});
