import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import type { Comparer } from '../../server/compare/index.ts';
import { hostileDocuments } from '../support/documents/hostile.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { inTempFolder, tempFolder } from '../support/temp-folder.ts';

const SECRET = 'the-secret-of-this-test';

describe('documents that were made to do harm', { concurrency: 2 }, async () => {
  const folder = tempFolder();
  const secret = join(folder.path, 'secret.txt');
  writeFileSync(secret, SECRET);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  // Before anything else: the documents have its address in them.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let comparer: Comparer;
  before(() => {
    comparer = plainComparer(folder.path);
  });
  after(async () => {
    server.close();
    await once(server, 'close');
    assert.deepEqual(asked, [], 'nothing was asked of the network');
    assert.deepEqual(readdirSync(join(folder.path, 'compare')), [], 'nothing is left');
    folder.remove();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  for (const { name, make, unread } of hostileDocuments({ address, secret })) {
    it(`${name}: ${unread === undefined ? 'is read, and does nothing' : 'is told by size and hash'}`, async () => {
      const bytes = make();
      const { comparison } = await comparer.compare({
        path: 'x',
        before: async () => undefined,
        after: async () => bytes,
      });
      const { contents } = comparison;
      assert.deepEqual(contents.after, {
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      assert.doesNotMatch(JSON.stringify(comparison), new RegExp(SECRET));
      if (unread === undefined) assert.notEqual(comparison.kind, 'binary', JSON.stringify(comparison));
      else
        assert.ok(
          comparison.kind === 'binary' && unread.includes(comparison.why),
          JSON.stringify(comparison).slice(0, 500),
        );
    });
  }
});

test('the memory of the server stays flat, whatever a document unpacks to', async () => {
  await inTempFolder(async (folder) => {
    const comparer = plainComparer(folder);
    const made = hostileDocuments({ address: 'http://127.0.0.1:9', secret: '/nowhere' })
      .filter(({ name }) => /MiB|million|repeated/.test(name))
      .map(({ make }) => make());
    assert.ok(made.length >= 6);
    const resident = process.memoryUsage.rss();
    for (const bytes of made)
      await comparer.compare({ path: 'x', before: async () => made[0], after: async () => bytes });
    assert.ok(process.memoryUsage.rss() - resident < 100 << 20);
  });
});
