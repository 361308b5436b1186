// Needs OpenStack Swift and memcached: apt-get install swift-proxy swift-account swift-container swift-object memcached
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BucketObjects } from '../../server/workspace/objects/bucket-objects.ts';
import { allOf, fileOf, inPieces, largeObjectsContract, names, someBytes } from '../contracts/large-objects.ts';
import { type SwiftServer, swiftServer } from '../support/swift-server.ts';
import { inWorkspace } from '../support/workspace-place.ts';

/** The least that S3 takes for a part that is not the last. */
const PART = 5 * 1024 * 1024;

let swift: SwiftServer;
before(async () => {
  swift = await swiftServer();
});
after(() => swift?.[Symbol.asyncDispose]());

function open(changed: Partial<SwiftServer['access']['credentials']> = {}): BucketObjects & { readonly store: string } {
  const store = randomBytes(16).toString('hex');
  const { url, region, credentials } = swift.access;
  const options = { url, region, store, credentials: { ...credentials, ...changed }, part_bytes: PART };
  return Object.assign(new BucketObjects(options), { store });
}

largeObjectsContract(
  'Swift',
  async () => {
    const objects = open();
    return {
      objects,
      damage: async (sha256, change) => {
        const key = `devloop/${objects.store}/${sha256}`;
        const bytes = Buffer.from(await (await swift.ask('GET', key)).arrayBuffer());
        assert.equal((await swift.ask('PUT', key, change(bytes))).status, 200);
      },
      [Symbol.asyncDispose]: async () => {
        for (const sha256 of await names(objects)) await objects.remove(sha256);
      },
    };
  },
  PART,
);

test('Swift refuses a signature by another secret, and nothing of it is told', async () => {
  const refused = open({ secretAccessKey: 'not the secret' }).sizeOf('a'.repeat(64));
  await assert.rejects(refused, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'bucket_refused');
    assert.ok(!JSON.stringify([error.message, error.stack]).includes('not the secret'));
    return true;
  });
});

test('an upload to Swift that broke off is no object, and is swept', async () => {
  const objects = open();
  const key = `devloop/${objects.store}/${'b'.repeat(64)}`;
  const begun = await (await swift.ask('POST', `${key}?uploads=`)).text();
  const id = /<UploadId>(.*)<\/UploadId>/.exec(begun)?.[1] ?? '';
  assert.equal((await swift.ask('PUT', `${key}?partNumber=1&uploadId=${id}`, someBytes(PART, 1))).status, 200);
  assert.deepEqual(await names(objects), []);
  const uploads = async () => (await (await swift.ask('GET', '?uploads=')).text()).includes(id);
  await objects.sweep(3_600_000);
  assert.equal(await uploads(), true, 'it may be under way');
  await objects.sweep(0);
  assert.equal(await uploads(), false);
});

test('a download from Swift goes on in the middle', async () => {
  const objects = open();
  const bytes = someBytes(PART + 1000, 2);
  await objects.put(fileOf(bytes), inPieces(bytes, 1 << 20));
  const key = `devloop/${objects.store}/${fileOf(bytes).sha256}`;
  const rest = await fetchRange(key, PART - 10);
  assert.ok(rest.equals(bytes.subarray(PART - 10)));
  assert.ok((await allOf(objects.read(fileOf(bytes)))).equals(bytes));
});

test('a workspace in Swift: points, what was lost, garbage, a move there and back', async () => {
  const options = { bucket: { ...swift.access, part_bytes: PART, grace_ms: 0 } };
  await inWorkspace(async ({ workspace, put, restore, files, root }) => {
    put('big', 'x'.repeat(PART + 1));
    put('other', 'y'.repeat(200_000));
    const point = await workspace.takePoint({ reason: '1' });
    const before = files();
    assert.equal((await workspace.moveObjects('bucket')).verified, 2);
    for (const name of ['big', 'other']) rmSync(join(root, name));
    await restore({ point: point.id });
    assert.deepEqual(files(), before);
    put('third', 'z'.repeat(150_000));
    const third = await workspace.takePoint({ reason: '2' });
    assert.deepEqual((await workspace.verify()).problems, []);
    const key = new RegExp(`<Key>(devloop/[^<]*${third.large.find(({ path }) => path === 'third')?.sha256})</Key>`);
    const listed = await (await swift.ask('GET', '?list-type=2')).text();
    assert.equal((await swift.ask('DELETE', key.exec(listed)?.[1] ?? '')).status, 204);
    const [problem] = (await workspace.verify()).problems;
    assert.match(problem ?? '', new RegExp(`\\(third\\) is missing, and is needed by ${third.id}`));
    await workspace.takePoint({ reason: '3' });
    assert.deepEqual((await workspace.verify()).problems, []);
    assert.equal((await workspace.moveObjects('folder')).copied, 3);
    const left = await (await swift.ask('GET', '?list-type=2')).text();
    for (const { sha256 } of third.large) assert.ok(!left.includes(sha256));
  }, options);
});

async function fetchRange(key: string, from: number): Promise<Buffer> {
  const { AwsClient } = await import('aws4fetch');
  const client = new AwsClient({ ...swift.access.credentials, region: 'here', service: 's3' });
  const response = await client.fetch(`${swift.access.url}/${key}`, { headers: { range: `bytes=${from}-` } });
  assert.equal(response.status, 206);
  return Buffer.from(await response.arrayBuffer());
}
