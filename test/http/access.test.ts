import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { createHttpServer } from '../../server/http/index.ts';
import { assertProblem, httpUnderTest, TOKEN } from '../support/http-under-test.ts';

const P = '/api/devloop/projects';

describe('access', () => {
  it('a request without the token is told how to send it', async () => {
    await using http = await httpUnderTest();
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${btoa(`:${TOKEN}`)}` },
      { authorization: TOKEN },
    ]) {
      const refused = await http.send('GET', P, { token: undefined, headers });
      assertProblem(refused, 401, 'unauthorized');
      assert.equal(refused.headers['www-authenticate'], 'Bearer realm="devloop"');
    }
    assertProblem(await http.send('GET', `${P}?token=${TOKEN}`, { token: undefined }), 401, 'unauthorized');
    assertProblem(
      await http.send('GET', P, { token: undefined, headers: { cookie: `token=${TOKEN}` } }),
      401,
      'unauthorized',
    );
    assertProblem(await http.send('GET', '/metrics', { token: undefined }), 401, 'unauthorized');
  });

  it('an address that does not exist is not told apart without the token', async () => {
    await using http = await httpUnderTest();
    assertProblem(await http.send('GET', '/api/devloop/none', { token: undefined }), 401, 'unauthorized');
    assertProblem(await http.send('GET', '/api/devloop/none'), 404, 'not_found');
  });

  it('guessing is slowed down, and the right token still passes', async () => {
    let time = 0;
    await using http = await httpUnderTest({ now: () => time, limits: { refused_burst: 3, refused_every_ms: 1000 } });
    for (let i = 0; i < 3; i++) assertProblem(await http.send('GET', P, { token: 'x' }), 401, 'unauthorized');
    const slowed = await http.send('GET', P, { token: 'x' });
    assertProblem(slowed, 429, 'too_many_requests');
    assert.equal(slowed.headers['retry-after'], '1');
    assert.equal((await http.send('GET', P)).status, 200);
    time += 1001;
    assertProblem(await http.send('GET', P, { token: 'x' }), 401, 'unauthorized');
    assertProblem(await http.send('GET', P, { token: 'x' }), 429, 'too_many_requests');
  });

  it('a key is traded for the token once, within ten minutes', async () => {
    let time = 0;
    await using http = await httpUnderTest({ now: () => time });
    const trade = (key: unknown) => http.send('POST', '/api/session', { token: undefined, body: { key } });
    const key = http.issueKey();
    const traded = await trade(key);
    assert.equal(traded.status, 201);
    assert.deepEqual(traded.body, { token: TOKEN });
    assert.equal(traded.headers['cache-control'], 'no-store');
    assertProblem(await trade(key), 401, 'unauthorized');
    assertProblem(await trade('made-up'), 401, 'unauthorized');
    assertProblem(await trade(7), 422, 'validation_failed');
    const late = http.issueKey();
    time += 10 * 60_000 + 1;
    assertProblem(await trade(late), 401, 'unauthorized');
  });

  it('a page of another site cannot trade a key', async () => {
    await using http = await httpUnderTest();
    const body = { key: http.issueKey() };
    const headers = { origin: 'https://evil.example' };
    assertProblem(await http.send('POST', '/api/session', { headers, body }), 403, 'origin_refused');
  });

  it('our own page passes, under each name of this machine', async () => {
    await using http = await httpUnderTest();
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      const host = `${name}:${http.port}`;
      const headers = { host, origin: `http://${host.toLowerCase()}`, 'sec-fetch-site': 'same-origin' };
      assert.equal((await http.send('GET', P, { headers })).status, 200, name);
    }
    assert.equal((await http.send('GET', P, { headers: { 'sec-fetch-site': 'none' } })).status, 200);
  });

  it('a name on the list of hosts is served, in any case of letters', async () => {
    await using http = await httpUnderTest({ hosts: ['DevBox.local:8080'] });
    for (const host of ['devbox.local:8080', 'DEVBOX.LOCAL:8080']) {
      assert.equal((await http.send('GET', P, { headers: { host } })).status, 200);
    }
    assertProblem(await http.send('GET', P, { headers: { host: 'devbox.local' } }), 421, 'host_refused');
  });

  it('an address that is taken, or that is none, is named', async () => {
    await using http = await httpUnderTest();
    const again = createHttpServer({} as never, { token: 't', dataFolder: '/d', version: '0', log: console });
    await assert.rejects(again.listen({ host: '127.0.0.1', port: http.port }), (error) =>
      isDevLoopError(error, 'busy'),
    );
    await assert.rejects(again.listen({ host: '192.0.2.1', port: 0 }), (error) =>
      isDevLoopError(error, 'config_invalid'),
    );
    await again.close();
  });

  it('a site on the allow list may call, and no other', async () => {
    const origin = 'https://ours.example';
    await using http = await httpUnderTest({ origins: [origin] });
    const headers = { origin, 'sec-fetch-site': 'cross-site' };
    const preflight = await http.send('OPTIONS', P, { token: undefined, headers });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], origin);
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization/);
    const answer = await http.send('GET', P, { headers });
    assert.equal(answer.headers['access-control-allow-origin'], origin);
    assertProblem(await http.send('GET', P, { headers: { origin: `${origin}.evil.example` } }), 403, 'origin_refused');
    assert.equal((await http.send('GET', P)).headers['access-control-allow-origin'], undefined);
  });

  it('every answer carries the headers that keep a browser in bounds', async () => {
    await using http = await httpUnderTest();
    for (const path of ['/healthz', '/docs', P, '/none']) {
      const { headers } = await http.send('GET', path);
      assert.match(String(headers['content-security-policy']), /default-src 'self'.*frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  it('what fails inside is logged, and the client learns nothing of it', async () => {
    await using http = await httpUnderTest();
    http.loop.list = async () => {
      throw new Error('secret detail at /usr/lib/x');
    };
    const failed = await http.send('GET', P);
    assertProblem(failed, 500, 'internal');
    assert.doesNotMatch(failed.text, /secret|usr/);
    assert.match(http.logged[0] ?? '', /a request failed.*secret detail/);
  });
});
