import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { call, post } from '../../server/web/api/call.ts';
import { Problem } from '../../server/web/api/problem.ts';
import { refusal } from '../../server/web/api/session.ts';
import { readPages } from '../../server/web/shell/read-pages.ts';

/** What a browser has and Node has not: a tab's own store. */
function tabStore() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** Answers every request, and keeps the headers of each. */
function answerWith(answer: () => Response): readonly Headers[] {
  const asked: Headers[] = [];
  mock.method(globalThis, 'fetch', async (_address: unknown, init?: RequestInit) => {
    asked.push(new Headers(init?.headers));
    return answer();
  });
  return asked;
}

const cutShort = () =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"items":['));
        controller.error(new TypeError('network error'));
      },
    }),
    { headers: { 'content-type': 'application/json' } },
  );

describe('a request of the page', () => {
  beforeEach(() => Object.assign(globalThis, { sessionStorage: tabStore() }));
  afterEach(() => {
    mock.restoreAll();
    Reflect.deleteProperty(globalThis, 'sessionStorage');
  });

  it('is a problem that passes where the connection breaks within the answer, as where there is none', async () => {
    answerWith(cutShort);
    const problem = await call('GET', '/x').catch((error: unknown) => error);
    assert.ok(problem instanceof Problem && problem.passing && !problem.final);
    assert.deepEqual([problem.status, problem.code], [0, 'offline']);
    for (const [status, passing, final] of [
      [503, true, false],
      [429, true, false],
      [404, false, true],
      [500, false, false],
    ] as const) {
      const one = new Problem(status, {});
      assert.deepEqual([one.passing, one.final], [passing, final], String(status));
    }
  });

  it('has a key of its own where it starts something, also without the secure context that a UUID needs', async () => {
    mock.method(crypto, 'randomUUID', () => {
      throw new TypeError('not a function');
    });
    const asked = answerWith(() => new Response('{}'));
    await post('/x');
    await post('/x');
    const keys = asked.map((headers) => headers.get('idempotency-key') ?? '');
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
    assert.notEqual(keys[0], keys[1]);
  });

  it('keeps why the server did not take the token', async () => {
    answerWith(() => Response.json({ code: 'unauthorized', detail: 'no' }, { status: 401 }));
    await assert.rejects(call('GET', '/x'), Problem);
    assert.equal(refusal()?.code, 'unauthorized');
  });
});

describe('a list that comes in pages', () => {
  const pages = { '': { items: [1, 2], next: 'b' }, b: { items: [3], next: 'c' }, c: { items: [4] } };
  const page = async (cursor = '') => pages[cursor as keyof typeof pages];

  it('is read to its end, or as far as it was shown', async () => {
    assert.deepEqual(await readPages(page), { items: [1, 2, 3, 4], next: undefined });
    assert.deepEqual(await readPages(page, 2), { items: [1, 2, 3], next: 'c' });
  });
});
