import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DevLoopError } from '../../server/domain/errors.ts';
import { HELD_BYTES } from '../../server/http/send-outcome.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest, TOKEN } from '../support/http-under-test.ts';

describe('git over HTTP', () => {
  let http: HttpUnderTest;
  let at: string;
  before(async () => {
    http = await httpUnderTest({ limits: { refused_burst: 100 } });
    const { pid, cid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    at = `/git/${cid}/${pid}.git`;
  });
  after(() => http[Symbol.asyncDispose]());
  const basic = (user: string) => ({
    token: undefined,
    headers: { authorization: `Basic ${btoa(`${user}:${TOKEN}`)}` },
  });
  const basicHeaders = { headers: basic('x').headers };
  const refs = () => `${at}/info/refs?service=git-upload-pack`;

  it('offers what can be fetched, to any user with the token as the password', async () => {
    for (const options of [basic('x'), basic(''), {}]) {
      for (const base of ['', '/api/devloop']) {
        const offered = await http.send('GET', base + refs(), options);
        assert.equal(offered.status, 200, offered.text);
        assert.equal(offered.headers['content-type'], 'application/x-git-upload-pack-advertisement');
        assert.equal(offered.text, '001e# service=git-upload-pack\n0000pack');
      }
    }
  });

  it('names what is wrong where not all that can be fetched can be told', async () => {
    const usual = http.vault.packStream;
    http.vault.packStream = () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(2 * HELD_BYTES);
          throw new DevLoopError('vault_damaged', 'packed-refs is damaged');
        })(),
        { objectMode: false },
      );
    assertProblem(await http.send('GET', refs(), basic('x')), 500, 'vault_damaged');
    http.vault.packStream = usual;
  });

  it('sends on at once what git says while it packs', async () => {
    const usual = http.vault.packStream;
    const packing = new Readable({ read: () => undefined });
    packing.push('working');
    http.vault.packStream = () => packing;
    const answer = await fetch(`${http.url}${at}/git-upload-pack`, { method: 'POST', body: 'want', ...basicHeaders });
    const reader = answer.body?.getReader();
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'working');
    packing.push('pack');
    packing.push(null);
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'pack');
    http.vault.packStream = usual;
  });

  it('hands a request on, packed or not', async () => {
    for (const [raw, headers] of [
      ['want', {}],
      [gzipSync('want'), { 'content-encoding': 'gzip' }],
    ] as const) {
      const sent = { raw, headers: { 'content-type': 'application/x-git-upload-pack-request', ...headers } };
      const answer = await http.send('POST', `${at}/git-upload-pack`, sent);
      assert.equal(answer.headers['content-type'], 'application/x-git-upload-pack-result');
      assert.equal(answer.text, 'pack');
      assert.deepEqual(http.vault.asked.at(-1), ['uploadPack', 'want']);
    }
  });

  it('asks for the password in the way that git understands', async () => {
    for (const headers of [{}, { authorization: `Basic ${btoa('x:wrong')}` }, { authorization: 'Basic !' }]) {
      const refused = await http.send('GET', refs(), { token: undefined, headers });
      assertProblem(refused, 401, 'unauthorized');
      assert.equal(refused.headers['www-authenticate'], 'Basic realm="devloop"');
    }
  });

  it('takes no push', async () => {
    assertProblem(await http.send('GET', `${at}/info/refs?service=git-receive-pack`), 403, 'forbidden');
    assertProblem(await http.send('POST', `${at}/git-receive-pack`, { raw: 'x' }), 403, 'forbidden');
    assertProblem(await http.send('GET', `${at}/info/refs`), 403, 'forbidden');
  });

  it('shows no other file of a repository, and no other project', async () => {
    for (const path of [`${at}/HEAD`, `${at}/config`, `${at}/objects/info/packs`]) {
      assert.equal((await http.send('GET', path)).status, 404, path);
    }
    for (const name of ['p-none.git', '..%2fx.git', 'p-00000000', '.git', 'P.git']) {
      assertProblem(
        await http.send('GET', `/git/default/${name}/info/refs?service=git-upload-pack`),
        404,
        'project_not_found',
      );
    }
    assertProblem(await http.send('GET', refs().replace('default', 'other')), 404, 'project_not_found');
  });

  it('refuses what cannot be unpacked, or unpacks to too much', async () => {
    const headers = { 'content-encoding': 'gzip' };
    assertProblem(await http.send('POST', `${at}/git-upload-pack`, { raw: 'x', headers }), 400, 'bad_request');
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    assertProblem(await http.send('POST', `${at}/git-upload-pack`, { raw: bomb, headers }), 400, 'bad_request');
  });

  it('stays behind the check of the host', async () => {
    const headers = { ...basic('x').headers, host: 'evil.example' };
    assertProblem(await http.send('GET', refs(), { token: undefined, headers }), 421, 'host_refused');
  });
});
