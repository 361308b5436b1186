import assert from 'node:assert/strict';
import test from 'node:test';
import type { App } from '../../server/app.ts';
import { startOwnServer } from '../../server/cli/own-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('a command’s own server answers nothing before boot has put the repositories right', async (t) => {
  const done: string[] = [];
  const boot = Promise.withResolvers<void>();
  const app = {
    booted: boot.promise.then(() => void done.push('booted')),
    server: () => ({
      listen: async () => {
        done.push('listening');
        return { url: 'http://127.0.0.1:1', port: 1 };
      },
    }),
  };
  const starting = startOwnServer({
    openApp: async () => app as unknown as App,
    app: { dataDir: scratchFolder(t) } as Parameters<typeof startOwnServer>[0]['app'],
    token: () => 'token',
    version: '0',
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    origins: [],
    announce: false,
  });
  setImmediate(() => boot.resolve());
  await starting;
  assert.deepEqual(done, ['booted', 'listening']);
});
