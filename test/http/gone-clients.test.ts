import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { HELD_BYTES } from '../../server/http/send-outcome.ts';
import { readEvents } from '../support/event-reader.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest, TOKEN } from '../support/http-under-test.ts';

/** Makes a project, and has the check of its repository do this once somebody asks for it. */
async function projectThat(http: HttpUnderTest, verify: (signal: AbortSignal) => Promise<never>) {
  const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  http.vault.verify = async (_pid, signal) => {
    begun.resolve();
    try {
      return await verify(signal);
    } finally {
      ended.resolve();
    }
  };
  return { at: `/api/devloop/projects/${pid}`, begun: begun.promise, ended: ended.promise };
}

function ask(http: HttpUnderTest, method: string, path: string): ClientRequest {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return httpRequest(`${http.url}${path}`, { method, agent: false, headers })
    .on('error', () => undefined)
    .end();
}

/** The log of a server once it has done with everything that was asked. */
async function logOf(http: HttpUnderTest): Promise<readonly string[]> {
  await http.send('GET', '/healthz');
  await http.close();
  return http.logged;
}

const untilAborted = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
};

describe('a client that goes away', () => {
  it('ends the work for its request, which is no failure', async () => {
    const failures: readonly ((signal: AbortSignal) => Promise<never>)[] = [
      untilAborted,
      (signal) =>
        untilAborted(signal).catch((cause) => {
          throw new DevLoopError('internal', 'nothing came of it', { cause });
        }),
      (signal) =>
        untilAborted(signal).catch(() => {
          throw new DevLoopError('git_failed', 'git was stopped', { data: { aborted: true } });
        }),
    ];
    for (const failure of failures) {
      await using http = await httpUnderTest();
      const { at, begun, ended } = await projectThat(http, failure);
      const request = ask(http, 'POST', `${at}/verify`);
      await begun;
      request.destroy();
      await ended;
      assert.deepEqual(await logOf(http), []);
    }
  });

  it('does not hide what fails for another reason', async () => {
    await using http = await httpUnderTest();
    const { at, begun, ended } = await projectThat(http, async (signal) => {
      await untilAborted(signal).catch(() => undefined);
      throw new TypeError('x is not a function');
    });
    const request = ask(http, 'POST', `${at}/verify`);
    await begun;
    request.destroy();
    await ended;
    assert.deepEqual(await logOf(http), ['a request failed TypeError: x is not a function']);
  });

  it('in the middle of a download ends it, which is no failure either', async () => {
    await using http = await httpUnderTest();
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const content = new Readable({
      read() {
        this.push(Buffer.alloc(HELD_BYTES));
      },
    });
    http.vault.archiveStream = () => content;
    const request = ask(http, 'GET', `/api/devloop/projects/${pid}/archive`);
    const [response] = await once(request, 'response');
    await once(response, 'data');
    request.destroy();
    await new Promise<void>((resolve) => content.once('close', () => resolve()));
    assert.deepEqual(await logOf(http), []);
  });
});

describe('a reader of events that has gone before the first one is sent', () => {
  it('keeps nothing open', async () => {
    await using http = await httpUnderTest();
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const asked = Promise.withResolvers<void>();
    const returned = Promise.withResolvers<void>();
    const items = async function* (signal: AbortSignal) {
      try {
        asked.resolve();
        if (!signal.aborted) await once(signal, 'abort');
        yield [{ kind: 'event' as const, id: '1', name: 'x', data: 'x'.repeat(HELD_BYTES) }];
      } finally {
        returned.resolve();
      }
    };
    http.feed.follow = async (_pid, { signal }) => items(signal);
    const request = ask(http, 'GET', `/api/devloop/projects/${pid}/events`);
    await asked.promise;
    request.destroy();
    await returned.promise;
    assert.deepEqual(await logOf(http), []);
  });
});

describe('an aborted request of a client that is still there', () => {
  it('is told to come again where the server stops', async () => {
    await using http = await httpUnderTest();
    const { at, begun } = await projectThat(http, untilAborted);
    const answer = http.send('POST', `${at}/verify`);
    await begun;
    await http.close();
    assertProblem(await answer, 503, 'busy');
    assert.deepEqual(http.logged, []);
  });

  it('is a failure of ours otherwise', async () => {
    await using http = await httpUnderTest();
    const { at } = await projectThat(http, async () => AbortSignal.abort().throwIfAborted() as never);
    assertProblem(await http.send('POST', `${at}/verify`), 500, 'internal');
    assert.match((await logOf(http)).join(), /^a request failed AbortError/);
  });
});

describe('an event stream that fails', () => {
  const failing = async (http: HttpUnderTest, events: number, code: 'internal' | 'ledger_damaged') => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const items = async function* () {
      for (let i = 1; i <= events; i++) yield [{ kind: 'event' as const, id: String(i), name: 'x', data: '{}' }];
      throw code === 'internal' ? new TypeError('x') : new DevLoopError(code, 'a line is torn');
    };
    http.feed.follow = async () => items();
    return `/api/devloop/projects/${pid}/events`;
  };

  it('before its first event is a problem with its status', async () => {
    await using http = await httpUnderTest();
    const path = await failing(http, 0, 'ledger_damaged');
    assertProblem(await http.send('GET', path), 500, 'ledger_damaged');
    assert.deepEqual(await logOf(http), []);
  });

  it('later ends, and the log says why, whether the failure has a name or not', async () => {
    for (const [code, logged] of [
      ['ledger_damaged', 'an answer broke off DevLoopError: a line is torn'],
      ['internal', 'a request failed TypeError: x'],
    ] as const) {
      await using http = await httpUnderTest();
      const path = await failing(http, 1, code);
      const reader = await readEvents(`${http.url}${path}`);
      await reader.until(1);
      await reader.closed;
      assert.deepEqual(await logOf(http), [logged]);
    }
  });
});
