import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { openApiDocument, placeOf } from '../../server/http/openapi.ts';
import { PROBLEM_STATUS, PROBLEM_TITLES } from '../../server/http/problem-table.ts';
import { addressOf } from '../../server/http/route.ts';
import { ROUTES } from '../../server/http/routes/all-routes.ts';
import { checkResponse } from '../support/check-response.ts';
import { type HttpUnderTest, httpUnderTest, TOKEN } from '../support/http-under-test.ts';
import { partBelow, requestsOf } from '../support/openapi-requests.ts';

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
};
const document = openApiDocument('1.2.3');
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the OpenAPI document', () => {
  it('has every route once, with an id of its own, a summary and its answers', () => {
    assert.equal(operations.length, ROUTES.length);
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, ROUTES.length);
    for (const { path, method, operation } of operations) {
      assert.ok(operation.summary.length > 5, `${method} ${path}`);
      assert.ok(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        `${method} ${path}`,
      );
      assert.ok(operation.responses['401']);
    }
  });

  it('gives every problem under the status that it is sent with', () => {
    for (const route of ROUTES) {
      const { method, address } = placeOf(route);
      const found = operations.find((one) => one.path === address && one.method === method);
      for (const code of route.codes) {
        assert.match(found?.operation.responses[PROBLEM_STATUS[code]]?.description ?? '', new RegExp(`\`${code}\``));
      }
    }
  });

  it('refers only to parts that it has', () => {
    const text = JSON.stringify(document);
    const schemas = (document.components as { schemas: object }).schemas;
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');
    assert.ok(refs.length > 20);
    for (const ref of refs) assert.ok(Object.hasOwn(schemas, ref.replace('#/components/schemas/', '')), ref);
    assert.doesNotMatch(text, /\$defs/);
  });

  it('every code has a status and a title', () => {
    assert.deepEqual(Object.keys(PROBLEM_STATUS).sort(), [...ERROR_CODES].sort());
    assert.deepEqual(Object.keys(PROBLEM_TITLES).sort(), [...ERROR_CODES].sort());
  });
});

describe('documents and health', () => {
  let http: HttpUnderTest;
  before(async () => {
    http = await httpUnderTest();
  });
  after(() => http[Symbol.asyncDispose]());
  const open = { token: undefined };

  it('the document and the page about the API need no token', async () => {
    const served = await http.send('GET', '/openapi.json', open);
    assert.equal(served.body.openapi, '3.1.0');
    assert.equal(served.body.info.version, '0.0.0');
    const page = await http.send('GET', '/docs', open);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    for (const route of ROUTES) {
      const { method, path } = addressOf(route);
      assert.ok(page.text.includes(`<code>${method} ${path}</code>`), route.id);
    }
  });

  it('the page asks nothing of anybody else and runs nothing', async () => {
    const { text } = await http.send('GET', '/docs', open);
    assert.doesNotMatch(text, /<script|https?:\/\/|\son\w+=|@import|url\(/);
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.equal((await http.send('GET', address, open)).status, 200);
    }
  });

  it('the root leads to the documentation, or is the page where there is one', async () => {
    const root = await http.send('GET', '/', open);
    assert.equal(root.status, 302);
    assert.equal(root.headers.location, '/docs');
    const page = mkdtempSync(join(tmpdir(), 'devloop-page-'));
    writeFileSync(join(page, 'index.html'), '<!doctype html><title>DevLoop</title>');
    writeFileSync(join(page, '.secret'), 'x');
    await using paged = await httpUnderTest({ page });
    const shown = await paged.send('GET', '/', open);
    assert.match(shown.text, /<title>DevLoop/);
    assert.match(String(shown.headers['content-security-policy']), /default-src 'self'/);
    for (const path of ['/.secret', '/..%2f..%2fetc/passwd', '/none']) {
      assert.ok([401, 403, 404].includes((await paged.send('GET', path, open)).status), path);
    }
    rmSync(page, { recursive: true });
  });

  it('healthz says that it lives, readyz whether it can work', async () => {
    assert.deepEqual((await http.send('GET', '/healthz', open)).body, { status: 'ok', version: '0.0.0' });
    assert.equal((await http.send('GET', '/readyz', open)).status, 200);
    http.checks.push({ name: 'disk', ok: false, detail: 'full' });
    const unready = await http.send('GET', '/readyz', open);
    assert.equal(unready.status, 503);
    assert.equal(unready.body.checks[1].detail, 'full');
  });

  it('metrics count requests by route, not by address', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    await http.api('GET', `/projects/${pid}`);
    await http.api('GET', '/projects/p-none');
    const { text, headers } = await http.send('GET', '/metrics');
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.match(text, /devloop_http_request_seconds_count\{route="GET \/projects\/:pid",status="200"\} 1/);
    assert.match(text, /devloop_http_request_seconds_count\{route="GET \/projects\/:pid",status="404"\} 1/);
    assert.ok(!text.includes(pid));
  });
});

/** A sample; test/http/generated-requests.system.test.ts holds a running server against five times as many. */
describe('1,000 requests made from the document', () => {
  it('never find a 500, every answer fits its schema, every refusal is a problem', async () => {
    await using http = await httpUnderTest({ limits: { refused_burst: 1e9 } });
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const original = await http.loop.project(pid);
    const known = { pid: [pid], unit: ['store'], run: ['r-1', 'r-6'], id: ['r1', 'r2'], rev: ['main', 'prd-rev-1'] };
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        requestsOf(partBelow(document, '/api/devloop'), known),
        async ({ method, path, template, body, headers }) => {
          http.loop.projects.set(pid, original);
          const answer = await fetch(http.url + path, {
            method,
            headers: {
              ...headers,
              authorization: `Bearer ${TOKEN}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          assert.ok(answer.status < 500, `${answer.status}`);
          if (template.endsWith('/events') && answer.ok) return answer.body?.cancel();
          const text = await answer.text();
          if (answer.ok) {
            checkResponse(method, path, answer.status, text === '' ? undefined : jsonOr(text));
          } else {
            assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
            assert.ok(ERROR_CODES.includes(JSON.parse(text).code));
          }
        },
      ),
      { numRuns: 1000 },
    );
    for (const status of [200, 202, 404, 422]) assert.ok((seen.get(status) ?? 0) > 20, JSON.stringify([...seen]));
  });
});

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
