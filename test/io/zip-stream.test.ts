import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { directoryRecord, endOfDirectory, type ZipRecord } from '../../server/io/zip-format.ts';
import { type ZipEntry, zipStream } from '../../server/io/zip-stream.ts';
import { readZip } from '../support/read-zip.ts';

const TIME = new Date('2026-01-02T03:04:05Z');

function entry(
  name: string,
  content: Uint8Array | (() => AsyncGenerator<Uint8Array>),
  size = content.length,
  mode = 0o100644,
): ZipEntry {
  const chunks =
    typeof content === 'function'
      ? content()
      : (async function* () {
          yield content;
        })();
  return { name: Buffer.from(name), mode, time: TIME, size, content: chunks };
}

async function zip(...entries: readonly ZipEntry[]): Promise<Buffer> {
  return Buffer.concat(
    await zipStream(
      (async function* () {
        yield* entries;
      })(),
    ).toArray(),
  );
}

test('small and large content comes back as it was, packed or not', async () => {
  const contents = [
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.alloc(100_000, 'text '),
    Buffer.alloc(3_000_000, 'more text '),
    randomBytes(1_000_000),
  ];
  const read = readZip(await zip(...contents.map((content, i) => entry(`f${i}`, content))));
  assert.deepEqual(
    read.map(({ name }) => name.toString()),
    ['f0', 'f1', 'f2', 'f3', 'f4'],
  );
  for (const [i, { content }] of read.entries()) assert.ok(content.equals(contents[i] ?? Buffer.from('none')));
});

test('modes of files, programs and links are kept', async () => {
  const modes = [0o100644, 0o100755, 0o120777];
  const read = readZip(await zip(...modes.map((mode) => entry(`m${mode}`, Buffer.from('x'), 1, mode))));
  assert.deepEqual(
    read.map(({ mode }) => mode),
    modes,
  );
});

test('a content that fails destroys the stream, small and large', async () => {
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('broke off');
  };
  for (const size of [10, 10_000_000]) await assert.rejects(zip(entry('f', failing, size)), /broke off/);
});

test('a reader that stops ends the content that is being read', async () => {
  let ended = false;
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield randomBytes(100_000);
    } finally {
      ended = true;
    }
  };
  const stream = zipStream(
    (async function* () {
      yield entry('f', endless, 1_000_000_000);
    })(),
  );
  for await (const chunk of stream) if (chunk.length > 1000) break;
  while (!ended) await new Promise((resolve) => setImmediate(resolve));
});

test('numbers that do not fit in 32 or 16 bits are written in 64', () => {
  const record: ZipRecord = {
    name: Buffer.from('f'),
    mode: 0o100644,
    time: TIME,
    method: 'deflate',
    streamed: true,
    large: true,
    crc: 7,
    packed: 5e9,
    size: 6e9,
    offset: 7e9,
  };
  const line = directoryRecord(record);
  assert.deepEqual(
    [line.readUInt32LE(20), line.readUInt32LE(24), line.readUInt32LE(42)],
    [0xffffffff, 0xffffffff, 0xffffffff],
  );
  const extra = line.subarray(46 + 1 + 9);
  assert.deepEqual(
    [0, 8, 16].map((at) => Number(extra.readBigUInt64LE(4 + at))),
    [6e9, 5e9, 7e9],
  );
  const end = endOfDirectory({ count: 70_000, offset: 8e9, length: 9 });
  assert.equal(Number(end.readBigUInt64LE(32)), 70_000);
  assert.equal(Number(end.readBigUInt64LE(56 + 8)), 8e9 + 9);
  assert.equal(end.readUInt16LE(76 + 10), 0xffff);
  assert.equal(endOfDirectory({ count: 1, offset: 2, length: 3 }).length, 22);
});
