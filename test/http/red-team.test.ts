import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertProblem,
  type HttpUnderTest,
  httpUnderTest,
  type SendOptions,
  TOKEN,
} from '../support/http-under-test.ts';
import { rawHttp } from '../support/raw-http.ts';

type Bad = readonly [claim: string, method: string, path: string, options: SendOptions, status: number, code: string];

const json = { 'content-type': 'application/json' };
const P = '/api/devloop/projects';
const PID = 'p-00000000';
const bad = (name: string, path: string, status: number, code: string): Bad => [name, 'GET', path, {}, status, code];
const post = (name: string, path: string, body: unknown, status: number, code: string): Bad => [
  name,
  'POST',
  path,
  { body },
  status,
  code,
];
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const SITES: readonly Bad[] = [
  ['a rebound name', 'GET', P, { headers: { host: 'evil.example:3010' } }, 421, 'host_refused'],
  [
    'a rebound name in a subdomain of localhost',
    'GET',
    P,
    { headers: { host: 'x.localhost:PORT' } },
    421,
    'host_refused',
  ],
  ['a host with a suffix', 'GET', P, { headers: { host: '127.0.0.1:PORT.evil.example' } }, 421, 'host_refused'],
  ['a host without its port', 'GET', P, { headers: { host: '127.0.0.1' } }, 421, 'host_refused'],
  ['a host with another port', 'GET', P, { headers: { host: 'localhost:1' } }, 421, 'host_refused'],
  ['another spelling of the loopback address', 'GET', P, { headers: { host: '0x7f.1:PORT' } }, 421, 'host_refused'],
  ['the unspecified address', 'GET', P, { headers: { host: '0.0.0.0:PORT' } }, 421, 'host_refused'],
  [
    'a rebound name on a page without token',
    'GET',
    '/healthz',
    { headers: { host: 'evil.example' } },
    421,
    'host_refused',
  ],
  ['another site', 'GET', P, { headers: { origin: 'https://evil.example' } }, 403, 'origin_refused'],
  ['a null origin', 'GET', P, { headers: { origin: 'null' } }, 403, 'origin_refused'],
  ['an empty origin', 'GET', P, { headers: { origin: '' } }, 403, 'origin_refused'],
  [
    'an origin with our name as a prefix',
    'GET',
    P,
    { headers: { origin: 'http://127.0.0.1:PORT.evil.example' } },
    403,
    'origin_refused',
  ],
  [
    'an origin with our name as user info',
    'GET',
    P,
    { headers: { origin: 'http://127.0.0.1:PORT@evil.example' } },
    403,
    'origin_refused',
  ],
  ['another port of this machine', 'GET', P, { headers: { origin: 'http://localhost:5173' } }, 403, 'origin_refused'],
  ['our other name as origin', 'GET', P, { headers: { origin: 'http://localhost:PORT' } }, 403, 'origin_refused'],
  ['https at our address', 'GET', P, { headers: { origin: 'https://127.0.0.1:PORT' } }, 403, 'origin_refused'],
  ['a cross-site fetch', 'GET', P, { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'origin_refused'],
  ['a fetch from another port', 'GET', P, { headers: { 'sec-fetch-site': 'same-site' } }, 403, 'origin_refused'],
  ['a preflight', 'OPTIONS', P, { headers: { 'access-control-request-method': 'POST' } }, 403, 'forbidden'],
  ['a preflight of another site', 'OPTIONS', P, { headers: { origin: 'https://evil.example' } }, 403, 'origin_refused'],
];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const BODIES: readonly Bad[] = [
  ['a form', 'POST', P, { headers: FORM, raw: 'requirement=x' }, 415, 'unsupported_media_type'],
  [
    'a multipart form',
    'POST',
    P,
    { headers: { 'content-type': 'multipart/form-data; boundary=b' }, raw: '--b--' },
    415,
    'unsupported_media_type',
  ],
  [
    'JSON as text',
    'POST',
    P,
    { headers: { 'content-type': 'text/plain' }, raw: '{"requirement":"x"}' },
    415,
    'unsupported_media_type',
  ],
  ['JSON without a type', 'POST', P, { raw: '{"requirement":"x"}' }, 415, 'unsupported_media_type'],
  [
    'a type that begins like JSON',
    'POST',
    P,
    { headers: { 'content-type': 'application/jsonp' }, raw: '{}' },
    415,
    'unsupported_media_type',
  ],
  [
    'JSON in another encoding',
    'POST',
    P,
    { headers: { 'content-type': 'application/json; charset=utf-16' }, raw: '{}' },
    415,
    'unsupported_media_type',
  ],
  [
    'compressed JSON',
    'POST',
    P,
    { headers: { ...json, 'content-encoding': 'gzip' }, raw: 'x' },
    415,
    'unsupported_media_type',
  ],
  ['half a body of JSON', 'POST', P, { headers: json, raw: '{"requirement": ' }, 400, 'bad_request'],
  ['bytes that are not UTF-8', 'POST', P, { headers: json, raw: Uint8Array.of(34, 255, 34) }, 400, 'bad_request'],
  ['two values', 'POST', P, { headers: json, raw: '{}{}' }, 400, 'bad_request'],
  [
    'a body over the limit',
    'POST',
    P,
    { headers: json, raw: JSON.stringify({ requirement: 'x'.repeat(262_144) }) },
    413,
    'body_too_large',
  ],
  ['a body of megabytes', 'POST', P, { headers: json, raw: Buffer.alloc(3_000_000, 32) }, 413, 'body_too_large'],
  [
    'a body nested too deep',
    'POST',
    P,
    { headers: json, raw: `{"requirement":${nested(33)}}` },
    422,
    'validation_failed',
  ],
  [
    'a body nested a hundred thousand deep',
    'POST',
    P,
    { headers: json, raw: nested(100_000) },
    422,
    'validation_failed',
  ],
  [
    'a prototype key',
    'POST',
    P,
    { headers: json, raw: '{"requirement":"x","__proto__":{"admin":true}}' },
    422,
    'validation_failed',
  ],
  [
    'a prototype key inside',
    'POST',
    P,
    { headers: json, raw: '{"requirement":"x","settings":{"__proto__":{}}}' },
    422,
    'validation_failed',
  ],
  [
    'a constructor key',
    'POST',
    P,
    { headers: json, raw: '{"constructor":{"prototype":{}}}' },
    422,
    'validation_failed',
  ],
  ['a list in place of an object', 'POST', P, { headers: json, raw: '[]' }, 422, 'validation_failed'],
  ['null', 'POST', P, { headers: json, raw: 'null' }, 422, 'validation_failed'],
  post('a member nobody knows', P, { requirement: 'x', admin: true }, 422, 'validation_failed'),
  post('no requirement', P, {}, 422, 'validation_failed'),
  post('a requirement of blanks', P, { requirement: ' \n ' }, 422, 'validation_failed'),
  post('a requirement that is a number', P, { requirement: 7 }, 422, 'validation_failed'),
  post('a company that climbs', P, { requirement: 'x', company: '../../etc' }, 422, 'validation_failed'),
  post('a company in capitals', P, { requirement: 'x', company: 'ACME' }, 422, 'validation_failed'),
  post(
    'a driver nobody knows',
    P,
    { requirement: 'x', team: { default: { driver: 'shell' } } },
    422,
    'validation_failed',
  ),
  post('a setting out of range', P, { requirement: 'x', settings: { attempts: 1e9 } }, 422, 'validation_failed'),
  post('a body where none is taken', `${P}/${PID}/pause`, { force: true }, 422, 'validation_failed'),
];

const ADDRESSES: readonly Bad[] = [
  bad('an id that climbs, encoded', `${P}/..%2f..%2fetc`, 404, 'project_not_found'),
  bad('an id that climbs, encoded twice', `${P}/%252e%252e%252fetc`, 404, 'project_not_found'),
  bad('an id that climbs, in capitals', `${P}/%2E%2E/events`, 404, 'project_not_found'),
  bad('an address that climbs', '/api/devloop/projects/../../../etc/passwd', 404, 'not_found'),
  bad('an id with a NUL', `${P}/p%00`, 404, 'project_not_found'),
  bad('an id in capitals', `${P}/P-00000000`, 404, 'project_not_found'),
  bad('an id of 64 characters', `${P}/${'a'.repeat(64)}`, 404, 'project_not_found'),
  bad('an id that is a prototype key', `${P}/__proto__`, 404, 'project_not_found'),
  bad('an unknown id', `${P}/p-99999999`, 404, 'project_not_found'),
  bad('a broken escape', `${P}/%zz`, 400, 'bad_request'),
  bad('an overlong UTF-8 slash', `${P}/..%c0%af`, 400, 'bad_request'),
  bad('a backslash', `${P}/..%5c..%5cetc`, 404, 'project_not_found'),
  bad('a unit that climbs', `${P}/${PID}/units/..%2fx/attempts`, 404, 'unit_not_found'),
  bad('a run that climbs', `${P}/${PID}/runs/..%2fx`, 404, 'run_not_found'),
  post('a rescue that climbs', `${P}/${PID}/rescues/..%2fx/restore`, {}, 404, 'not_found'),
  bad('a slash at the end', `${P}/`, 404, 'not_found'),
  bad('an address in capitals', '/API/devloop/projects', 404, 'not_found'),
  bad('a path that climbs', `${P}/${PID}/file?path=../../../etc/passwd`, 422, 'path_refused'),
  bad('a path that climbs inside', `${P}/${PID}/file?path=prd/../../x`, 422, 'path_refused'),
  bad('an absolute path', `${P}/${PID}/file?path=/etc/passwd`, 422, 'path_refused'),
  bad('a path with a NUL', `${P}/${PID}/file?path=a%00b`, 422, 'path_refused'),
  bad('a path that climbs, in bytes', `${P}/${PID}/file?path_b64=Li4vLi4vZXRj`, 422, 'path_refused'),
  bad('bytes that are not base64', `${P}/${PID}/file?path_b64=%2e%2e`, 422, 'validation_failed'),
  bad('a query member twice', `${P}/${PID}/file?path=a&path=b`, 422, 'validation_failed'),
  bad('a query member nobody knows', `${P}?admin=1`, 422, 'validation_failed'),
  bad('a prototype key in the query', `${P}?__proto__=1`, 422, 'validation_failed'),
  bad('a limit of zero', `${P}?limit=0`, 422, 'validation_failed'),
  bad('a limit that is no number', `${P}?limit=ten`, 422, 'validation_failed'),
  bad('a limit out of range', `${P}?limit=1e9`, 422, 'validation_failed'),
  bad('a cursor that was made up', `${P}?cursor=AAAA`, 422, 'validation_failed'),
  bad('an event id that was made up', `${P}/${PID}/events?after=1%0d%0adata:x`, 422, 'validation_failed'),
  bad('a place before the timeline', `${P}/${PID}/timeline?after=-1`, 422, 'validation_failed'),
  ['a method that the address does not take', 'DELETE', P, {}, 405, 'method_not_allowed'],
  ['a method nobody knows', 'PATCH', `${P}/${PID}`, { body: {} }, 405, 'method_not_allowed'],
];

const REFS = [
  '--output=/tmp/x',
  '-d',
  '--upload-pack=id',
  'main..HEAD',
  'main@{1}',
  'HEAD~1',
  'HEAD^{/x}',
  ':/x',
  'main:project.json',
  'refs/heads/../../config',
  'refs/heads/main',
  'x.lock',
  '$(id)',
  '`id`',
  'a b',
  'a\nb',
  'a\u0000b',
  'FETCH_HEAD',
  'attempts/store/0/1',
  'attempts/../1/1',
  'rescue/../x',
  '',
  'x'.repeat(101),
];

describe('a bad request gets its problem and changes nothing', () => {
  let http: HttpUnderTest;
  before(async () => {
    http = await httpUnderTest();
    await http.api('POST', '/projects', { requirement: 'x' });
  });
  after(() => http[Symbol.asyncDispose]());

  for (const [claim, method, path, options, status, code] of [...SITES, ...BODIES, ...ADDRESSES]) {
    it(`${claim}: ${status} ${code}`, async () => {
      const before = http.loop.asked.length;
      const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [
        name,
        String(value).replace('PORT', String(http.port)),
      ]);
      const reply = await http.send(method, path, { ...options, headers: Object.fromEntries(headers) });
      assertProblem(reply, status, code);
      assert.equal(http.loop.asked.length, before);
      assert.equal(({} as { admin?: boolean }).admin, undefined);
      assert.equal((await http.send('GET', '/healthz')).status, 200);
    });
  }

  for (const ref of REFS) {
    it(`the revision ${JSON.stringify(ref.slice(0, 30))} is refused everywhere before the vault sees it`, async () => {
      const at = `/projects/${PID}`;
      const asked = http.vault.asked.length;
      const text = encodeURIComponent(ref);
      for (const query of [
        `archive?ref=${text}`,
        `file?path=a&ref=${text}`,
        `tree?ref=${text}`,
        `diff?from=${text}&to=main`,
        `diff?from=main&to=${text}`,
      ]) {
        assertProblem(await http.api('GET', `${at}/${query}`), 422, 'ref_invalid');
      }
      if (ref !== '') assertProblem(await http.api('GET', `${at}/commits/${text}`), 422, 'ref_invalid');
      for (const [verb, body] of [
        ['reset', { ref }],
        ['revert', { rev: ref }],
        ['tags', { name: 'x', ref }],
        ['bisect', { good: ref, check: { unit: 'store' } }],
      ] as const) {
        assertProblem(await http.api('POST', `${at}/${verb}`, body), 422, 'ref_invalid');
      }
      assert.equal(http.vault.asked.length, asked);
    });
  }
});

describe('a request that is not sound HTTP', () => {
  let http: HttpUnderTest;
  before(async () => {
    http = await httpUnderTest({ limits: { request_ms: 300 } });
  });
  after(() => http[Symbol.asyncDispose]());
  const head = (lines: string) =>
    `${lines}\r\nHost: 127.0.0.1:${http.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n`;

  it('two Host headers: 421', async () => {
    const answer = await rawHttp(http.port, `${head('GET /api/devloop/projects HTTP/1.1')}Host: evil.example\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 421 /);
  });
  it('no Host header: 421', async () => {
    const answer = await rawHttp(http.port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1.1 421 /);
  });
  it('an empty Host header: 421', async () => {
    const answer = await rawHttp(http.port, 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1.1 421 /);
  });
  it('a whole URL in place of a path: 400', async () => {
    const answer = await rawHttp(http.port, `${head('GET http://evil.example/healthz HTTP/1.1')}\r\n`);
    assert.match(answer, /^HTTP\/1.1 400 /);
  });
  it('two tokens: 401', async () => {
    const answer = await rawHttp(
      http.port,
      `${head('GET /api/devloop/projects HTTP/1.1')}Authorization: Bearer x\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 401 /);
  });
  it('length and chunks at once (smuggling): 400, and the connection is closed', async () => {
    const answer = await rawHttp(
      http.port,
      `${head('POST /api/devloop/projects HTTP/1.1')}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.equal(answer.split('HTTP/1.1 ').length, 2, 'one answer');
  });
  it('two lengths: 400', async () => {
    const answer = await rawHttp(
      http.port,
      `${head('POST /api/devloop/projects HTTP/1.1')}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    );
    assert.match(answer, /^HTTP\/1.1 400 /);
  });
  it('a header with a bare line end inside: 400', async () => {
    const answer = await rawHttp(http.port, `${head('GET /healthz HTTP/1.1')}X: a\rb\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 400 /);
  });
  it('headers over 16 kB: 431', async () => {
    const answer = await rawHttp(http.port, `${head('GET /healthz HTTP/1.1')}X: ${'a'.repeat(20_000)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 431 [\s\S]*application\/problem\+json/);
  });
  it('a body that trickles: 408, and the connection is closed', async () => {
    const answer = await rawHttp(
      http.port,
      `${head('POST /api/devloop/projects HTTP/1.1')}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"requ`,
    );
    assert.match(answer, /^HTTP\/1.1 40[08] /);
  });
  it('headers that never end: 408', async () => {
    const answer = await rawHttp(http.port, 'GET /healthz HTTP/1.1\r\nHost: x');
    assert.match(answer, /^HTTP\/1.1 408 /);
  });
  it('not HTTP at all: 400', async () => {
    assert.match(await rawHttp(http.port, 'hello\r\n\r\n'), /^HTTP\/1.1 400 /);
  });
  it('a body that ends early changes nothing', async () => {
    const asked = http.loop.asked.length;
    await rawHttp(
      http.port,
      `${head('POST /api/devloop/projects HTTP/1.1')}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"requirement":"x"}`,
    );
    assert.equal(http.loop.asked.length, asked);
  });
});
