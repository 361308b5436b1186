import assert from 'node:assert/strict';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { HELD_BYTES } from '../../server/http/send-outcome.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest, TOKEN } from '../support/http-under-test.ts';

describe('downloads', () => {
  let http: HttpUnderTest;
  let at: string;
  let pid: string;
  before(async () => {
    http = await httpUnderTest();
    pid = (await http.api('POST', '/projects', { requirement: 'x' })).body.pid;
    at = `/projects/${pid}`;
  });
  after(() => http[Symbol.asyncDispose]());

  it('an archive is named after project, revision and format', async () => {
    const types = { zip: 'application/zip', tar: 'application/x-tar', 'tar.gz': 'application/gzip' };
    for (const [format, type] of Object.entries(types)) {
      const { status, headers, text } = await http.api('GET', `${at}/archive?format=${format}&prefix=todo`);
      assert.equal(status, 200);
      assert.equal(text, 'archive bytes');
      assert.equal(headers['content-type'], type);
      assert.equal(headers['content-disposition'], `attachment; filename=${pid}-HEAD.${format}`);
      assert.deepEqual(http.vault.asked.at(-1), ['archive', { rev: 'HEAD', format, prefix: 'todo' }]);
    }
    const bundle = await http.api('GET', `${at}/bundle`);
    assert.equal(bundle.headers['content-disposition'], `attachment; filename=${pid}.bundle`);
  });

  it('the manifest of an archive names each file with its bytes and digest', async () => {
    const { body } = await http.api('GET', `${at}/archive/manifest?ref=main`);
    assert.equal(body.files.length, 3);
    assert.equal(body.files[2].path_b64, 'dW5pdHMv//4uYmlu');
    assert.deepEqual((await http.api('POST', `${at}/verify`)).body, { problems: [] });
  });

  it('an archive that fails before its first byte is a problem', async () => {
    http.vault.archiveStream = () =>
      new Readable({
        read() {
          this.destroy(new DevLoopError('findings_open', 'A secret was found.'));
        },
      });
    const refused = await http.api('GET', `${at}/archive`);
    assertProblem(refused, 409, 'findings_open');
    assert.equal(refused.headers['content-disposition'], undefined);
  });

  it('what fails within the first megabyte is a problem, and nothing of it was sent', async () => {
    http.vault.archiveStream = () =>
      Readable.from(
        (async function* () {
          for (let sent = 0; sent < 9; sent++) yield Buffer.alloc(100_000);
          throw new DevLoopError('vault_damaged', 'An object is not what its name says.');
        })(),
        { objectMode: false },
      );
    const refused = await http.api('GET', `${at}/archive`);
    assertProblem(refused, 500, 'vault_damaged');
    assert.equal(refused.headers['content-disposition'], undefined);
  });

  it('a download comes whole, and is as long as was said where it is held before it is sent', async () => {
    for (const [length, isHeld] of [
      [0, true],
      [900_000, true],
      [3_000_000, false],
    ] as const) {
      http.vault.archiveStream = () => Readable.from(partsOf('x'.repeat(length)), { objectMode: false });
      const { headers, text } = await http.send('GET', `/api/devloop${at}/archive`);
      assert.equal(text.length, length);
      assert.equal(headers['content-length'], isHeld ? String(length) : undefined);
      assert.equal(headers['transfer-encoding'], isHeld ? undefined : 'chunked');
    }
  });

  it('an archive that fails on the way breaks the connection rather than end short', async () => {
    const half = new Readable({ read: () => undefined });
    half.push(Buffer.alloc(HELD_BYTES));
    http.vault.archiveStream = () => half;
    const outcome = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const request = get(`${http.url}/api/devloop${at}/archive`, { headers }, (response) => {
        response.once('data', () => half.destroy(new Error('git went away')));
        response.once('end', () => reject(new Error('ended well')));
        response.once('error', resolve);
      });
      request.on('error', resolve);
    });
    assert.match(String(outcome), /aborted|ECONNRESET/);
    assert.match(http.logged.at(-1) ?? '', /a download broke off Error: git went away/);
  });

  it('a client that goes away ends the archive', async () => {
    const ended = new Promise<void>((resolve) => {
      http.vault.archiveStream = () =>
        new Readable({
          read() {
            this.push(Buffer.alloc(65_536));
          },
          destroy(error, done) {
            resolve();
            done(error);
          },
        });
    });
    const request = get(
      `${http.url}/api/devloop${at}/archive`,
      { headers: { authorization: `Bearer ${TOKEN}` } },
      (response) => {
        response.once('data', () => request.destroy());
      },
    );
    request.on('error', () => undefined);
    await ended;
  });

  it('HEAD gives the headers and ends the archive', async () => {
    http.vault.archiveStream = () => Readable.from(['bytes']);
    const { status, headers, text } = await http.send('HEAD', `/api/devloop${at}/archive`);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/zip');
    assert.equal(text, '');
  });
});

function* partsOf(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; at += 70_001) yield Buffer.from(text.slice(at, at + 70_001));
}
