import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../server/cli/api-client.ts';
import { followEvents, type Message } from '../../server/cli/follow-events.ts';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { httpUnderTest, TOKEN } from '../support/http-under-test.ts';

async function take(messages: AsyncGenerator<Message>, count: number): Promise<readonly Message[]> {
  const taken: Message[] = [];
  for await (const message of messages) {
    taken.push(message);
    if (taken.length === count) break;
  }
  return taken;
}

describe('following a stream', () => {
  it('gives each event with its id, name and data', async () => {
    await using http = await httpUnderTest();
    const { pid } = await http.loop.create({ requirement: 'x' });
    for (let i = 1; i <= 3; i++) http.feed.publish(pid, 'unit.status', { i });
    const api = createApiClient({ url: http.url, token: TOKEN });
    const signal = new AbortController().signal;
    const messages = await take(followEvents({ api: async () => api, pid, after: '1', signal }), 2);
    assert.deepEqual(messages, [
      { id: '2', event: 'unit.status', data: { i: 2 } },
      { id: '3', event: 'unit.status', data: { i: 3 } },
    ]);
  });

  it('goes on after the last id when the server ends the stream or does not answer for a while', async () => {
    await using http = await httpUnderTest();
    const { pid } = await http.loop.create({ requirement: 'x' });
    http.feed.publish(pid, 'a', {});
    const api = createApiClient({ url: http.url, token: TOKEN });
    let tries = 0;
    const broken: string[] = [];
    const find = async () => {
      tries += 1;
      if (tries === 2) throw new DevLoopError('busy', 'No server runs.');
      if (tries === 3) http.feed.publish(pid, 'b', {});
      return api;
    };
    const follow = http.feed.follow.bind(http.feed);
    const one = async function* () {
      yield [{ kind: 'event' as const, id: '1', name: 'a', data: '{}' }];
    };
    http.feed.follow = async () => {
      http.feed.follow = follow;
      return one();
    };
    const signal = new AbortController().signal;
    const messages = await take(
      followEvents({ api: find, pid, after: '0', signal, onBreak: (reason) => broken.push(reason) }),
      2,
    );
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['a', 'b'],
    );
    assert.deepEqual(broken, ['the server ended the stream', 'No server runs.']);
  });

  it('gives up on what will not pass', async () => {
    await using http = await httpUnderTest();
    const signal = new AbortController().signal;
    const wrong = createApiClient({ url: http.url, token: 'wrong' });
    await assert.rejects(take(followEvents({ api: async () => wrong, signal }), 1), (error) =>
      isDevLoopError(error, 'unauthorized'),
    );
    const api = createApiClient({ url: http.url, token: TOKEN });
    await assert.rejects(take(followEvents({ api: async () => api, pid: 'p-none', signal }), 1), (error) =>
      isDevLoopError(error, 'project_not_found'),
    );
  });

  it('ends with the signal, also while it waits to try again', async () => {
    const stop = new AbortController();
    const find = async () => {
      setImmediate(() => stop.abort());
      throw new DevLoopError('busy', 'No server runs.');
    };
    assert.deepEqual(await take(followEvents({ api: find, signal: stop.signal }), 1), []);
  });
});
