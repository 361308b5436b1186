import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createApiClient } from '../../server/cli/api-client.ts';
import { type Connection, connect, requireRunning, runningServer } from '../../server/cli/connection.ts';
import { readServerFile, removeServerFile, writeServerFile } from '../../server/cli/server-file.ts';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { httpUnderTest, TOKEN } from '../support/http-under-test.ts';

const OWN: Connection = { api: createApiClient({ url: 'http://own', token: 'x' }), own: true, close: async () => {} };
const owned = async () => {
  throw new DevLoopError('data_folder_owned', 'process 1 owns the data folder');
};

describe('the way to a server', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'devloop-connection-'));
    mkdirSync(join(data, '.devloop'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));
  const options = (start: () => Promise<Connection>) => ({ dataDir: data, token: () => TOKEN, start, create: false });

  it('is the server that runs on the data folder', async () => {
    await using http = await httpUnderTest();
    writeServerFile(data, { url: http.url, port: http.port, pid: process.pid, version: '0.0.0' });
    const found = await connect(options(async () => OWN));
    assert.equal(found.own, false);
    assert.deepEqual(await found.api.call('GET /projects', {}), { items: [] });
  });

  it('is one of our own where none runs, also where a killed one has left its file', async () => {
    assert.equal(await connect(options(async () => OWN)), OWN);
    const gone = await httpUnderTest();
    await gone[Symbol.asyncDispose]();
    writeServerFile(data, { url: gone.url, port: gone.port, pid: 1, version: '0.0.0' });
    assert.equal(await connect(options(async () => OWN)), OWN);
  });

  it('waits for a command that has the data folder for a moment', async () => {
    let tries = 0;
    const start = async () => (++tries < 3 ? owned() : OWN);
    assert.equal(await connect(options(start)), OWN);
    assert.equal(tries, 3);
  });

  it('finds the server that another command has begun meanwhile', async () => {
    await using http = await httpUnderTest();
    const start = async () => {
      writeServerFile(data, { url: http.url, port: http.port, pid: process.pid, version: '0.0.0' });
      return owned();
    };
    assert.equal((await connect(options(start))).api.url, http.url);
  });

  it('any other failure to start is told at once', async () => {
    const start = async () => {
      throw new DevLoopError('disk_full', 'full');
    };
    await assert.rejects(connect(options(start)), (error) => isDevLoopError(error, 'disk_full'));
  });

  it('makes no data folder unless it is asked to', async () => {
    rmSync(data, { recursive: true });
    await assert.rejects(connect(options(async () => OWN)), (error) => isDevLoopError(error, 'not_found'));
    assert.equal(await connect({ ...options(async () => OWN), create: true }), OWN);
  });

  it('a server file that is torn or not one counts as none', async () => {
    for (const content of ['', '{"url": "http', '[]', '{"url": 1, "pid": 2}', 'null']) {
      writeFileSync(join(data, '.devloop', 'server.json'), content);
      assert.equal(readServerFile(data), undefined);
      assert.equal(await runningServer(data), undefined);
    }
    await assert.rejects(
      requireRunning(data, () => TOKEN),
      (error) => isDevLoopError(error, 'busy'),
    );
  });

  it('the file of another process is not removed', () => {
    writeServerFile(data, { url: 'http://127.0.0.1:1', port: 1, pid: 1, version: '0.0.0' });
    removeServerFile(data, process.pid);
    assert.equal(readServerFile(data)?.pid, 1);
    removeServerFile(data, 1);
    assert.equal(readServerFile(data), undefined);
  });
});

describe('the client', () => {
  it('gives a problem as the error that it is', async () => {
    await using http = await httpUnderTest();
    const api = createApiClient({ url: http.url, token: TOKEN });
    await assert.rejects(api.call('GET /projects/:pid', { params: { pid: '../x' } }), (error) => {
      assert.ok(isDevLoopError(error, 'project_not_found'));
      assert.match(error.hint ?? '', /must match/);
      return true;
    });
    await assert.rejects(createApiClient({ url: http.url, token: 'wrong' }).call('GET /projects', {}), (error) =>
      isDevLoopError(error, 'unauthorized'),
    );
  });

  it('a server that does not answer is one to try again', async () => {
    const http = await httpUnderTest();
    await http[Symbol.asyncDispose]();
    const api = createApiClient({ url: http.url, token: TOKEN });
    await assert.rejects(api.call('GET /projects', {}), (error) => isDevLoopError(error, 'busy'));
  });

  it('an answer that is no problem document is a failure with its status', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_request, response) => response.writeHead(502).end('<html>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const api = createApiClient({ url: `http://127.0.0.1:${port}`, token: 'x' });
    await assert.rejects(api.call('GET /projects', {}), /answered 502/);
    server.close();
  });

  it('leaves out what is undefined, and encodes what is not plain', async () => {
    await using http = await httpUnderTest();
    const api = createApiClient({ url: http.url, token: TOKEN });
    const { pid } = await http.loop.create({ requirement: 'x' });
    await api.call('GET /projects/:pid/commits', { params: { pid }, query: { grep: 'a&b=ü', author: undefined } });
    assert.deepEqual(http.vault.asked.at(-1), ['log', { limit: 50, grep: 'a&b=ü' }]);
    await assert.rejects(api.call('GET /projects/:pid/commits/:rev', { params: { pid, rev: 'attempts/store/1/1' } }));
    assert.deepEqual(http.vault.asked.at(-1), ['show', 'attempts/store/1/1']);
  });
});
