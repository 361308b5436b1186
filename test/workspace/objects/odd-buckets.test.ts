import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { tryBucket } from '../../../server/workspace/index.ts';
import { BucketObjects } from '../../../server/workspace/objects/bucket-objects.ts';
import { allOf, fileOf, names, someBytes } from '../../contracts/large-objects.ts';
import { bucketServer } from '../../support/bucket-server.ts';
import { inWorkspace } from '../../support/workspace-place.ts';

const KEY = { accessKeyId: 'key-id', secretAccessKey: 'secret' };
const file = fileOf(someBytes(2000, 1));
const noBucket: RequestListener = (request, response) => {
  response.writeHead(404);
  response.end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchBucket</Code></Error>');
};

async function atServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const open = (url: string, patience_ms = 60_000) =>
  new BucketObjects({ url, region: 'here', store: '0'.repeat(32), credentials: KEY, retries_ms: [], patience_ms });

test('a listing that leads to itself ends', async () => {
  let asked = 0;
  const page = '<ListBucketResult><IsTruncated>true</IsTruncated>';
  for (const token of ['', '<NextContinuationToken>again</NextContinuationToken>']) {
    const listener: RequestListener = (_, response) => {
      asked++;
      response.end(`${page}${token}</ListBucketResult>`);
    };
    await atServer(listener, (url) =>
      assert.rejects(names(open(url)), { code: 'bucket_refused', message: /never ends/ }),
    );
  }
  assert.equal(asked, 4);
});

test('a body that comes byte by byte is given up on, and a slow one is not', async () => {
  const listener =
    (piece: number): RequestListener =>
    (_, response) => {
      response.writeHead(200);
      const clock = setInterval(() => response.write(Buffer.alloc(piece)), 5);
      response.on('close', () => clearInterval(clock));
    };
  await atServer(listener(1), (url) => assert.rejects(names(open(url, 100)), { code: 'bucket_unreachable' }));
  await atServer(listener(1000), async (url) => {
    // All that was promised has come, and is another content.
    await assert.rejects(allOf(open(url, 2_000).read({ ...file, size: 40_000 })), { code: 'store_damaged' });
  });
});

test('a bucket that is not there is a refusal, and no object that is lost', async () => {
  await atServer(noBucket, (url) =>
    assert.rejects(allOf(open(url).read(file)), { code: 'bucket_refused', message: /no such bucket/ }),
  );
  await using server = await bucketServer();
  const bucket = { url: server.url, region: 'here', credentials: KEY, retries_ms: [1] };
  await inWorkspace(
    async ({ workspace, put }) => {
      put('big', 'a'.repeat(120_000));
      const point = await workspace.takePoint({ reason: 'kept' });
      const [key = ''] = server.objects.keys();
      server.objects.delete(key);
      assert.match((await workspace.verify()).problems.join(), new RegExp(`is missing, and is needed by ${point.id}`));
      server.fault = ({ key: asked }) => (asked === '' ? 'close' : undefined);
      await assert.rejects(workspace.verify(), { code: 'bucket_unreachable' });
    },
    { bucket, objects: 'bucket' },
  );
});

test('a bucket is tried with an object that is removed again, and the step that fails is named', async () => {
  await using server = await bucketServer();
  const access = { url: server.url, region: 'here', credentials: KEY, retries_ms: [] };
  assert.equal(await tryBucket(access), undefined);
  assert.deepEqual([...server.objects.keys()], []);
  const failing = [
    ['PUT', 'putting an object'],
    ['GET', 'reading it back'],
    ['DELETE', 'removing it'],
  ] as const;
  for (const [method, step] of failing) {
    server.fault = (call) => (call.method === method && call.key !== '' ? 'error' : undefined);
    const failed = await tryBucket(access);
    assert.deepEqual([failed?.step, failed?.error.code], [step, 'bucket_unreachable']);
  }
  server.fault = ({ key }) => (key === '' ? 'error' : undefined);
  assert.equal((await tryBucket(access))?.step, 'listing');
  assert.equal((await tryBucket({ ...access, credentials: undefined }))?.step, 'opening it');
  await atServer(noBucket, async (url) =>
    assert.match((await tryBucket({ ...access, url }))?.error.hint ?? '', /bucket_url/),
  );
});
