import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BucketObjects, type BucketObjectsOptions } from '../../../server/workspace/objects/bucket-objects.ts';
import { allOf, fileOf, inPieces, names, someBytes } from '../../contracts/large-objects.ts';
import { type BucketFault, type BucketServer, bucketServer } from '../../support/bucket-server.ts';

const STORE = '0'.repeat(32);
const SECRET = 'a secret that nobody may see';

function open(server: BucketServer, changed: Partial<BucketObjectsOptions> = {}): BucketObjects {
  const credentials = { accessKeyId: 'key-id', secretAccessKey: SECRET };
  const options = { url: server.url, region: 'here', store: STORE, credentials, part_bytes: 1000, retries_ms: [1, 1] };
  return new BucketObjects({ ...options, ...changed });
}

const bytes = someBytes(2500, 1);
const file = fileOf(bytes);
/** Size, begin, three parts, end, size. */
const STEPS = 7;

for (const fault of ['error', 'close', 'close_after'] as const) {
  for (let step = 1; step <= STEPS; step++) {
    test(`an upload whose request ${step} meets ${fault} once is whole all the same`, async () => {
      await using server = await bucketServer();
      server.fault = ({ n }) => (n === step ? fault : undefined);
      await open(server).put(file, inPieces(bytes));
      server.fault = () => undefined;
      assert.ok((await allOf(open(server).read(file))).equals(bytes));
      // An upload whose beginning was done and not answered stays behind until it is swept.
      assert.ok(server.uploads.size <= (fault === 'close_after' && step === 2 ? 1 : 0));
    });

    test(`an upload that meets ${fault} from request ${step} on fails, and leaves no part of an object`, async () => {
      await using server = await bucketServer();
      server.fault = ({ n }) => (n >= step ? fault : undefined);
      await assert.rejects(open(server).put(file, inPieces(bytes)), { code: 'bucket_unreachable' });
      server.fault = () => undefined;
      const size = await open(server).sizeOf(file.sha256);
      assert.ok(size === undefined || size === file.size, `${size} bytes`);
    });
  }
}

test('what is acknowledged and lost is noticed, whole or in parts, and whichever part', async () => {
  const small = Buffer.from('small');
  const cases: readonly (readonly [Buffer, number])[] = [[small, 2], ...[3, 4, 5, 6].map((n) => [bytes, n] as const)];
  for (const [content, lost] of cases) {
    await using server = await bucketServer();
    server.fault = ({ n }) => (n === lost ? 'lose' : undefined);
    const put = open(server).put(fileOf(content), inPieces(content));
    await assert.rejects(put, { name: 'DevLoopError' }, `request ${lost}`);
    assert.notEqual(await open(server).sizeOf(fileOf(content).sha256), content.length, `request ${lost}`);
  }
});

test('a body that breaks off, again and again, is gone on with where it broke', async () => {
  await using server = await bucketServer();
  const objects = open(server);
  await objects.put(file, inPieces(bytes));
  for (const fault of ['short', 'slow'] as const) {
    server.fault = ({ method }) => (method === 'GET' ? fault : undefined);
    assert.ok((await allOf(objects.read(file))).equals(bytes), fault);
  }
});

test('a server that knows no ranges gives the whole again, of which the rest is taken', async () => {
  await using server = await bucketServer();
  const objects = open(server);
  await objects.put(file, inPieces(bytes));
  server.ranges = false;
  let short = true;
  server.fault = ({ method }) => {
    const fault = method === 'GET' && short ? 'short' : undefined;
    if (method === 'GET') short = false;
    return fault;
  };
  assert.ok((await allOf(objects.read(file))).equals(bytes));
});

test('wrong bytes are never given for whole', async () => {
  await using server = await bucketServer();
  await open(server).put(file, inPieces(bytes));
  server.fault = ({ method }) => (method === 'GET' ? 'wrong' : undefined);
  await assert.rejects(allOf(open(server).read(file)), { code: 'store_damaged' });
});

test('a server that never answers, or stops in the middle, is given up on', async () => {
  await using server = await bucketServer();
  const objects = open(server, { patience_ms: 30 });
  server.fault = () => 'hang';
  await assert.rejects(objects.sizeOf(file.sha256), /no byte came for 30 ms/);
  assert.equal(server.calls.length, 3);
});

test('who gives up is obeyed at once', async () => {
  await using server = await bucketServer();
  server.fault = () => 'hang';
  const stop = new AbortController();
  const asked = open(server).sizeOf(file.sha256, stop.signal);
  setImmediate(() => stop.abort(new Error('never mind')));
  await assert.rejects(asked, /never mind/);
});

test('a refusal is not tried again, and nothing that is said of it shows a credential', async () => {
  await using server = await bucketServer('another-key');
  const error = await open(server)
    .sizeOf(file.sha256)
    .catch((caught: unknown) => caught);
  assert.ok(error instanceof Error && 'code' in error && 'data' in error && 'hint' in error);
  assert.equal(error.code, 'bucket_refused');
  assert.equal(server.calls.length, 1);
  const [listed] = await Promise.allSettled([names(open(server))]);
  assert.ok(listed.status === 'rejected');
  for (const said of [error, listed.reason]) {
    const all = JSON.stringify([said.message, said.stack, said.data, said.hint, String(said.cause)]);
    for (const secret of [SECRET, 'key-id', 'AWS4-HMAC']) assert.ok(!all.includes(secret), all);
  }
});

test('an address that is no bucket, or leads elsewhere, is refused', async () => {
  await using server = await bucketServer();
  await assert.rejects(names(open(server, { url: server.url.replace('/bucket', '/bucket/some/key') })), {
    code: 'bucket_refused',
  });
});

test('uploads that broke off are swept when they are old, page by page, and young ones are left', async () => {
  await using server = await bucketServer();
  const objects = open(server);
  const begun = (n: number, hours: number, folder = STORE) =>
    server.uploads.set(`u${n}`, {
      key: `devloop/${folder}/${'a'.repeat(64)}`,
      at: Date.parse('2026-11-30T12:00:00Z') - hours * 3_600_000,
      parts: new Map(),
    });
  for (let n = 0; n < 8; n++) begun(n, n < 5 ? 25 : 23);
  begun(8, 99, '1'.repeat(32));
  await objects.sweep(24 * 3_600_000);
  assert.deepEqual([...server.uploads.keys()].sort(), ['u5', 'u6', 'u7', 'u8']);
});

const faults: readonly BucketFault[] = ['error', 'close', 'close_after'];

test('a listing that meets a fault on each page is complete all the same', async () => {
  for (const fault of faults) {
    await using server = await bucketServer();
    for (let i = 0; i < 8; i++) await open(server).put(fileOf(Buffer.alloc(i + 1)), inPieces(Buffer.alloc(i + 1)));
    let odd = false;
    server.fault = () => {
      odd = !odd;
      return odd ? fault : undefined;
    };
    assert.equal((await names(open(server))).length, 8, fault);
  }
});
