import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { fill, fillText, NotCaptured } from '../../server/verdicts/captures.ts';
import { unmet } from '../../server/verdicts/expectations.ts';
import { freePorts } from '../../server/verdicts/free-ports.ts';
import { exchange } from '../../server/verdicts/http-exchange.ts';
import { atPath } from '../../server/verdicts/json-path.ts';

const never = new AbortController().signal;

async function origin(
  t: TestContext,
  server: { listen(port: number, host: string): unknown; close(): unknown; address(): unknown } & NodeJS.EventEmitter,
) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (t: TestContext, listener: RequestListener) => origin(t, createServer(listener));
const raw = (t: TestContext, onSocket: (socket: Socket) => void) =>
  origin(
    t,
    createTcpServer((socket) => socket.on('error', () => undefined) && onSocket(socket)),
  );
const get = (at: string, signal = never) => exchange({ method: 'GET', origin: at, path: '/', headers: {} }, signal);

test('an answer has its status, its headers in lower case, and its body', async (t) => {
  const at = await serve(t, (request, response) => {
    response
      .writeHead(
        418,
        [
          ['X-A', '1'],
          ['X-A', '2'],
        ].flat(),
      )
      .end(`${request.method} ${request.headers['content-length']}`);
  });
  const answer = await exchange({ method: 'POST', origin: at, path: '/', headers: {}, body: 'ä' }, never);
  assert.equal(answer.kind, 'answered');
  if (answer.kind !== 'answered') return;
  assert.deepEqual([answer.status, answer.headers['x-a'], answer.body], [418, '1, 2', 'POST 2']);
});

test('a redirect is an answer and not followed', async (t) => {
  const at = await serve(t, (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end());
  const answer = await get(at);
  assert.equal(answer.kind === 'answered' && answer.status, 302);
});

test('what is no answer is told in words that do not change', async (t) => {
  const [port] = await freePorts(1);
  const failed = async (at: string, signal = never) => {
    const answer = await get(at, signal);
    return answer.kind === 'failed' ? answer.why : answer;
  };
  assert.equal(await failed(`http://127.0.0.1:${port}`), 'connection refused');
  assert.equal(await failed(await raw(t, (socket) => socket.destroy())), 'the connection was closed without an answer');
  assert.equal(
    await failed(await raw(t, (socket) => socket.end('SSH-2.0\r\n\r\n'))),
    'no HTTP answer (HPE_INVALID_CONSTANT)',
  );
  const flood = await serve(t, (_, response) => void response.end(Buffer.alloc(5 * 1024 * 1024)));
  assert.equal(await failed(flood), 'the answer has more than 4194304 bytes');
  const torn = await raw(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', () => socket.destroy()),
  );
  assert.equal(await failed(torn), 'the connection was closed without an answer');
  assert.equal(await failed(await raw(t, () => undefined), AbortSignal.timeout(50)), 'no answer in time');
});

test('free ports are all different', async () => {
  const ports = await freePorts(20);
  assert.equal(new Set(ports).size, 20);
});

test('a captured value keeps its type where it stands alone, and becomes text elsewhere', () => {
  const captures = new Map<string, unknown>([
    ['n', 7],
    ['s', 'a/b'],
    ['o', { a: [1] }],
  ]);
  assert.deepEqual(fill({ a: ['{{n}}', 'x{{n}}', '{{ s }}'], b: '{{o}}', c: null }, captures), {
    a: [7, 'x7', 'a/b'],
    b: { a: [1] },
    c: null,
  });
  assert.equal(fillText('/t/{{s}}?o={{o}}', captures, encodeURIComponent), '/t/a%2Fb?o=%7B%22a%22%3A%5B1%5D%7D');
  assert.throws(() => fill(['{{none}}'], captures), new NotCaptured('none'));
});

test('what names no capture stays as it is', () => {
  fc.assert(
    fc.property(
      fc.json().filter((text) => !text.includes('{{')),
      (text) => {
        assert.deepEqual(fill(JSON.parse(text), new Map()), JSON.parse(text));
      },
    ),
  );
});

test('a path leads through lists and objects, never to inherited members', () => {
  const value = { items: [{ title: 'milk' }], empty: null };
  assert.deepEqual(atPath(value, 'items.0.title'), { kind: 'found', value: 'milk' });
  assert.deepEqual(atPath(value, 'items.length'), { kind: 'found', value: 1 });
  assert.deepEqual(atPath(value, ''), { kind: 'found', value });
  assert.deepEqual(atPath(value, 'empty'), { kind: 'found', value: null });
  for (const path of ['items.1', 'empty.x', 'constructor', '__proto__', 'items.0.title.length', 'x']) {
    assert.deepEqual(atPath(value, path), { kind: 'absent' }, path);
  }
});

test('expectations are looked at in the order status, headers, JSON, text', () => {
  const answer = { kind: 'answered', status: 500, headers: {}, body: 'oops' } as const;
  const expect = { status: 200, headers: { a: 'b' }, json: { a: 1 }, body_contains: 'c' };
  const { status: _, ...noStatus } = expect;
  const { headers: __, ...noHeaders } = noStatus;
  const { json: ___, ...text } = noHeaders;
  const said = [expect, noStatus, noHeaders, text, {}].map((one) => unmet(answer, one, new Map()));
  assert.deepEqual(said, [
    'expected status 200, got 500: oops',
    'expected header a: b, there was none',
    'expected a JSON body, got oops',
    'expected the body to contain "c", got oops',
    undefined,
  ]);
});

test('a long body is cut in what is said of it', () => {
  const answer = { kind: 'answered', status: 200, headers: {}, body: 'x'.repeat(1_000) } as const;
  assert.equal(
    unmet(answer, { body_contains: 'y' }, new Map())?.length,
    'expected the body to contain "y", got '.length + 300,
  );
});
