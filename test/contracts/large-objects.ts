import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { LargeFile, LargeObjects } from '../../server/workspace/objects/large-objects.ts';

/** A place to keep objects, and ways to damage it behind its back. */
export interface ObjectsUnderTest extends AsyncDisposable {
  readonly objects: LargeObjects;
  readonly damage: (sha256: string, change: (bytes: Buffer) => Buffer) => Promise<void>;
}

export const fileOf = (bytes: Uint8Array): LargeFile => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.length,
});

/** Bytes that do not repeat soon, without chance. */
export function someBytes(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed * 2_654_435_761;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** Gives bytes in pieces of a size, each in the same buffer, as a reader of files may. */
export async function* inPieces(bytes: Buffer, piece = 1000): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(piece);
  for (let at = 0; at < bytes.length; at += piece) yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + piece));
}

export async function allOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

export async function names(objects: LargeObjects): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { sha256 } of objects.list()) found.push(sha256);
  return found.sort();
}

/** What every place for large files does. @param partBytes where it sends them in parts, the size of a part */
export function largeObjectsContract(name: string, open: () => Promise<ObjectsUnderTest>, partBytes = 1000): void {
  const sizes = [1, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes, 3 * partBytes + 7];

  test(`${name}: what was put is there, whole, of whatever size`, async () => {
    await using place = await open();
    const { objects } = place;
    for (const size of sizes) {
      const bytes = someBytes(size, size);
      const file = fileOf(bytes);
      assert.equal(await objects.sizeOf(file.sha256), undefined);
      await objects.put(file, inPieces(bytes, Math.ceil(partBytes * 0.7)));
      assert.equal(await objects.sizeOf(file.sha256), size);
      assert.ok((await allOf(objects.read(file))).equals(bytes), `${size} bytes`);
    }
    assert.equal((await names(objects)).length, sizes.length);
  });

  test(`${name}: putting again what is there changes nothing and reads nothing`, async () => {
    await using place = await open();
    const file = fileOf(Buffer.from('once'));
    await place.objects.put(file, inPieces(Buffer.from('once')));
    await place.objects.put(
      file,
      (async function* () {
        yield await Promise.reject(new Error('it was read'));
      })(),
    );
    assert.deepEqual(await names(place.objects), [file.sha256]);
  });

  test(`${name}: a content that is not that of its name is refused, and nothing is kept`, async () => {
    await using place = await open();
    for (const size of [10, 3 * partBytes]) {
      const bytes = someBytes(size, 1);
      for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, bytes]), someBytes(size, 2)]) {
        await assert.rejects(place.objects.put(fileOf(bytes), inPieces(wrong, partBytes)), { code: 'store_damaged' });
      }
    }
    assert.deepEqual(await names(place.objects), []);
  });

  test(`${name}: a source that fails leaves nothing`, async () => {
    await using place = await open();
    const bytes = someBytes(3 * partBytes, 3);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 2 * partBytes + 5);
      throw new Error('the disk broke');
    }
    await assert.rejects(place.objects.put(fileOf(bytes), broken()), /the disk broke/);
    assert.deepEqual(await names(place.objects), []);
    assert.equal(await place.objects.sizeOf(fileOf(bytes).sha256), undefined);
  });

  test(`${name}: what was damaged is never given for whole, and is not what was lost`, async () => {
    await using place = await open();
    const bytes = someBytes(partBytes + 10, 4);
    const file = fileOf(bytes);
    const damages: readonly ((bytes: Buffer) => Buffer)[] = [
      (kept) => Buffer.concat([kept.subarray(0, -1), Buffer.from([(kept.at(-1) ?? 0) ^ 1])]),
      (kept) => kept.subarray(0, -1),
      (kept) => Buffer.concat([kept, Buffer.from('x')]),
    ];
    for (const change of damages) {
      await place.objects.remove(file.sha256);
      await place.objects.put(file, inPieces(bytes, partBytes));
      await place.damage(file.sha256, change);
      await assert.rejects(allOf(place.objects.read(file)), { code: 'store_damaged' });
    }
    await place.objects.put(file, inPieces(bytes, partBytes));
    assert.ok((await allOf(place.objects.read(file))).equals(bytes), 'one of another size is replaced');
  });

  test(`${name}: what was removed is gone, and removing it again is fine`, async () => {
    await using place = await open();
    const [kept, gone] = [Buffer.from('kept'), Buffer.from('gone')];
    for (const bytes of [kept, gone]) await place.objects.put(fileOf(bytes), inPieces(bytes));
    await place.objects.remove(fileOf(gone).sha256);
    await place.objects.remove(fileOf(gone).sha256);
    assert.deepEqual(await names(place.objects), [fileOf(kept).sha256]);
    await assert.rejects(allOf(place.objects.read(fileOf(gone))));
  });

  test(`${name}: a listing has each object once, with its size, however many there are`, async () => {
    await using place = await open();
    const files = Array.from({ length: 8 }, (_, i) => Buffer.alloc(i + 1, i));
    for (const bytes of files) await place.objects.put(fileOf(bytes), inPieces(bytes));
    const listed: (readonly [string, number])[] = [];
    for await (const { sha256, size, age_ms } of place.objects.list()) {
      listed.push([sha256, size]);
      assert.ok(Number.isFinite(age_ms) && age_ms < 3_600_000, `${age_ms} ms`);
    }
    const expected = files.map((bytes) => [fileOf(bytes).sha256, bytes.length]);
    assert.deepEqual(listed.sort(), expected.sort());
  });
}
