import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { checkSite } from '../../server/http/guard/same-site.ts';
import { createSessionKeys } from '../../server/http/guard/session-keys.ts';
import { createTokenCheck } from '../../server/http/guard/token-check.ts';
import { readJsonBody } from '../../server/http/json-body.ts';
import { pageOf } from '../../server/http/page-of.ts';
import { parseQuery } from '../../server/http/parse-query.ts';
import { problemOf } from '../../server/http/problem.ts';
import { frameOf } from '../../server/http/sse-stream.ts';

describe('pages of a list', () => {
  const keyOf = (item: string) => item;

  it('hold every item once, newest first, whatever the limit', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 7 }), (all, limit) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = pageOf(all, { limit, cursor, keyOf });
          assert.ok(page.items.length <= limit);
          seen.push(...page.items);
          cursor = page.next;
        } while (cursor !== undefined);
        assert.deepEqual(
          seen,
          all.toSorted((a, b) => (a < b ? 1 : -1)),
        );
      }),
    );
  });

  it('go on at their place when the item that they ended with is gone', () => {
    const { next } = pageOf(['a', 'b', 'c', 'd'], { limit: 2, keyOf });
    assert.deepEqual(pageOf(['a', 'b', 'd'], { limit: 2, cursor: next, keyOf }).items, ['b', 'a']);
  });

  it('refuse a cursor that is none of theirs', () => {
    for (const cursor of ['x', 'AAAA', Buffer.from('2:a').toString('base64url')]) {
      assert.throws(
        () => pageOf(['a'], { limit: 1, cursor, keyOf }),
        (error) => isDevLoopError(error, 'validation_failed'),
      );
    }
  });
});

describe('a problem', () => {
  it('names paths below the data folder and no others', () => {
    const error = new DevLoopError(
      'git_failed',
      "cannot open '/data/companies/x' nor /usr/lib/git-core/git (in /root/.ssh/id_rsa); see /data2/y",
    );
    const { detail } = problemOf(error, '/data').problem;
    assert.equal(detail, "cannot open '/data/companies/x' nor … (in …); see …");
  });

  it('leaves addresses, revisions and times alone', () => {
    for (const text of [
      'GET http://127.0.0.1:3010/api/devloop',
      'attempts/store/1/1 of a/b',
      '2026/01/01',
      'either/or',
    ]) {
      assert.equal(problemOf(new DevLoopError('conflict', text), '/data').problem.detail, text);
    }
  });

  it('keeps to itself what is no error of ours, and the data that nobody asked for', () => {
    const { problem, unexpected } = problemOf(new TypeError('x is not a function at /root/secret'), '/data');
    assert.equal(unexpected, true);
    assert.doesNotMatch(JSON.stringify(problem), /secret|function/);
    const error = new DevLoopError('plan_stale', 'stale', { data: { snapshot: 's', token: 'secret', cause: '/root' } });
    const shown = problemOf(error, '/data').problem;
    assert.equal(shown.snapshot, 's');
    assert.doesNotMatch(JSON.stringify(shown), /secret|root/);
  });

  it('says when to come back where it will pass', () => {
    for (const code of ['vault_busy', 'busy', 'too_many_requests', 'data_folder_owned'] as const) {
      assert.equal(problemOf(new DevLoopError(code, 'x'), '/data').headers['retry-after'], '1');
    }
  });
});

describe('the check of the site', () => {
  const rules = { hosts: new Set(['127.0.0.1:3010', 'localhost:3010']), origins: new Set(['https://ours.example']) };
  const check = (headers: Readonly<Record<string, string>>, target = '/') =>
    checkSite(
      { method: 'GET', target, headers, all: (name) => (headers[name] === undefined ? [] : [headers[name]]) },
      rules,
    );

  it('takes no Host but those that are served', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webAuthority(),
          fc.string(),
          fc.ipV4(),
          fc.constantFrom('127.0.0.1:3010.', ' 127.0.0.1:3010', '127.0.0.1:03010'),
        ),
        (host) => {
          fc.pre(!rules.hosts.has(host.toLowerCase()));
          assert.throws(
            () => check({ host }),
            (error) => isDevLoopError(error, 'host_refused'),
          );
        },
      ),
    );
  });

  it('takes no Origin but our own at that Host, and those of the list', () => {
    const host = '127.0.0.1:3010';
    assert.equal(check({ host, origin: 'http://127.0.0.1:3010' }), undefined);
    assert.equal(check({ host, origin: 'https://ours.example' }), 'https://ours.example');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.constantFrom('null', 'http://127.0.0.1:3010/', 'http://127.0.0.1:3010 ', 'HTTP://127.0.0.1:3010'),
        ),
        (origin) => {
          assert.throws(
            () => check({ host, origin }),
            (error) => isDevLoopError(error, 'origin_refused'),
          );
        },
      ),
    );
  });
});

describe('the check of the token', () => {
  const limits = { refused_burst: 1e9, refused_every_ms: 1 };

  it('takes exactly the token', () => {
    const token = 'Zm9v-bar_1.2';
    const tokens = createTokenCheck(token, limits, () => 0);
    tokens.check([`Bearer ${token}`], { address: 'a' });
    tokens.check([`bearer  ${token}`], { address: 'a' });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom(`${token}x`, token.slice(1), token.toUpperCase(), `${token} `, '')),
        (other) => {
          fc.pre(other !== token);
          assert.throws(
            () => tokens.check([`Bearer ${other}`], { address: 'a' }),
            (error) => isDevLoopError(error, 'unauthorized'),
          );
        },
      ),
    );
  });

  it('remembers no more addresses than it can hold', () => {
    const tokens = createTokenCheck('t', { refused_burst: 1, refused_every_ms: 1e9 }, () => 0);
    for (let i = 0; i < 5_000; i++) assert.throws(() => tokens.check([], { address: `10.0.${i >> 8}.${i & 255}` }));
  });
});

describe('keys for the page', () => {
  it('the oldest is forgotten where too many wait', () => {
    const keys = createSessionKeys(() => 0);
    const issued = Array.from({ length: 101 }, () => keys.issue());
    assert.equal(new Set(issued).size, 101);
    assert.equal(keys.redeem(issued[0] ?? ''), false);
    assert.equal(keys.redeem(issued[1] ?? ''), true);
  });
});

describe('a query', () => {
  it('is its members by name, a list where one comes twice, and inherits nothing', () => {
    assert.deepEqual({ ...parseQuery('a=1&b=%20x&a=2&c') }, { a: ['1', '2'], b: ' x', c: '' });
    assert.deepEqual({ ...parseQuery(null) }, {});
    const odd = parseQuery('__proto__=1&constructor=2');
    assert.equal(Object.getPrototypeOf(odd), null);
    assert.deepEqual(Object.keys(odd), ['__proto__', 'constructor']);
  });
});

describe('a body', () => {
  const limits = { body_bytes: 1000, json_depth: 5 };
  function requestWith(chunks: readonly Uint8Array[]): IncomingMessage {
    const request = new IncomingMessage(new Socket());
    request.headers['content-type'] = 'application/json';
    for (const chunk of chunks) request.push(chunk);
    request.push(null);
    return request;
  }

  it('is the same however it is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string().filter((name) => !/^(__proto__|constructor|prototype)$/.test(name)),
          fc.string({ unit: 'grapheme' }),
        ),
        fc.array(fc.nat(40), { maxLength: 5 }),
        async (value, cuts) => {
          const bytes = new TextEncoder().encode(JSON.stringify(value));
          fc.pre(bytes.length <= limits.body_bytes);
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          const chunks = places.slice(1).map((end, i) => bytes.slice(places[i], end));
          assert.deepEqual((await readJsonBody(requestWith(chunks), limits)).value, { ...value });
        },
      ),
    );
  });

  it('of exactly the limit passes, one byte more does not', async () => {
    const of = (size: number) => requestWith([new TextEncoder().encode(`"${'x'.repeat(size - 2)}"`)]);
    assert.equal(String((await readJsonBody(of(1000), limits)).value).length, 998);
    await assert.rejects(readJsonBody(of(1001), limits), (error) => isDevLoopError(error, 'body_too_large'));
  });

  it('of exactly the depth passes, one level more does not', async () => {
    const of = (depth: number) => requestWith([new TextEncoder().encode(`${'['.repeat(depth)}${']'.repeat(depth)}`)]);
    await readJsonBody(of(5), limits);
    await assert.rejects(readJsonBody(of(6), limits), (error) => isDevLoopError(error, 'validation_failed'));
  });
});

describe('a frame', () => {
  it('is read back as the event that it was, and as that one only', () => {
    const printable = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(fc.nat(), fc.stringMatching(/^[a-z_.]{1,20}$/), printable, (id, name, text) => {
        const events: EventSourceMessage[] = [];
        const parser = createParser({ onEvent: (event) => events.push(event) });
        parser.feed(frameOf({ kind: 'event', id: String(id), name, data: JSON.stringify({ text }) }));
        assert.deepEqual(
          events.map(({ id: seen, event, data }) => [seen, event, JSON.parse(data)]),
          [[String(id), name, { text }]],
        );
      }),
    );
  });

  it('keeps data of several lines together, and takes line ends out of id and name', () => {
    const frame = frameOf({ kind: 'event', id: '1\n2', name: 'a\r\nb', data: 'one\ntwo\r\nthree' });
    assert.equal(frame, 'id: 12\nevent: ab\ndata: one\ndata: two\ndata: three\n\n');
  });
});
