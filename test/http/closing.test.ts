import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { HELD_BYTES } from '../../server/http/send-outcome.ts';
import { readEvents } from '../support/event-reader.ts';
import { httpUnderTest, TOKEN } from '../support/http-under-test.ts';

const headers = { authorization: `Bearer ${TOKEN}` };

describe('closing the server', () => {
  it('does not wait for connections that ask nothing, nor for event streams', async () => {
    const http = await httpUnderTest();
    const { pid } = await http.loop.create({ requirement: 'x' });
    const silent = connect(http.port, '127.0.0.1');
    await once(silent, 'connect');
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`${http.url}/healthz`, { agent }, (response) => response.resume().once('end', resolve)),
    );
    const reader = await readEvents(`${http.url}/api/devloop/projects/${pid}/events`);
    await http.api('GET', '/projects');
    const start = performance.now();
    await http.close();
    assert.ok(performance.now() - start < 1_500);
    await reader.closed;
    agent.destroy();
  });

  it('lets a download that runs finish, and takes no new one', async () => {
    const http = await httpUnderTest();
    const { pid } = await http.loop.create({ requirement: 'x' });
    const half = new Readable({ read: () => undefined });
    half.push('first '.padEnd(HELD_BYTES));
    http.vault.archiveStream = () => half;
    const agent = new Agent({ keepAlive: true });
    let closed: Promise<void> | undefined;
    const text = await new Promise<string>((resolve, reject) => {
      get(`${http.url}/api/devloop/projects/${pid}/archive`, { agent, headers }, (response) => {
        let seen = '';
        response
          .setEncoding('utf8')
          .once('end', () => resolve(seen))
          .once('error', reject);
        response.on('data', (chunk: string) => {
          if (seen === '') {
            closed = http.close();
            half.push('second');
            half.push(null);
          }
          seen += chunk;
        });
      });
    });
    assert.equal(text.replace(/ +/, ' '), 'first second');
    await closed;
    await assert.rejects(http.send('GET', '/healthz'));
    agent.destroy();
  });

  it('cuts off what does not finish in its time', async () => {
    const http = await httpUnderTest();
    const { pid } = await http.loop.create({ requirement: 'x' });
    http.vault.archiveStream = () => {
      const stuck = new Readable({ read: () => undefined });
      stuck.push(Buffer.alloc(HELD_BYTES));
      return stuck;
    };
    const broken = new Promise((resolve) => {
      get(`${http.url}/api/devloop/projects/${pid}/archive`, { headers }, (response) => {
        response.once('data', () => http[Symbol.asyncDispose]()).once('error', resolve);
      });
    });
    assert.match(String(await broken), /aborted/);
  });
});
