import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import {
  dataDescriptor,
  directoryRecord,
  endOfDirectory,
  LARGE_FROM,
  localHeader,
  type ZipRecord,
} from './zip-format.ts';

export interface ZipEntry {
  /** Bytes; `/` separates. */
  readonly name: Uint8Array;
  /** Type and permission bits as on Unix. */
  readonly mode: number;
  readonly time: Date;
  /** Bytes of content. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Makes a zip of entries as they come; each one's content is read to its end before the next entry is asked for.
 * A failure of an entry or its content destroys the stream.
 */
export function zipStream(entries: AsyncIterable<ZipEntry>): Readable {
  return Readable.from(zipChunks(entries), { objectMode: false });
}

/** Content up to this length is packed at once; a stream of its own for each small file costs more than all the rest. */
const SMALL = 256 * 1024;

async function* zipChunks(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const { record, written } = yield* entry.size <= SMALL ? packSmall(entry, offset) : packStream(entry, offset);
    directory.push(directoryRecord(record));
    offset += written;
  }
  const length = directory.reduce((sum, line) => sum + line.length, 0);
  yield* directory;
  yield endOfDirectory({ count: directory.length, offset, length });
}

/** Gives an entry's bytes, and in the end what they were. */
type Packing = AsyncGenerator<Uint8Array, { readonly record: ZipRecord; readonly written: number }>;

async function* packSmall({ content, ...entry }: ZipEntry, offset: number): Packing {
  const bytes = await collect(content);
  const deflated = deflateRawSync(bytes, memoryFor(bytes.length));
  const shorter = deflated.length < bytes.length;
  const packed = shorter ? deflated : bytes;
  const record: ZipRecord = {
    ...entry,
    method: shorter ? 'deflate' : 'store',
    streamed: false,
    large: false,
    crc: crc32(bytes),
    packed: packed.length,
    size: bytes.length,
    offset,
  };
  const header = localHeader(record);
  yield header;
  yield packed;
  return { record, written: header.length + packed.length };
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Deflate's usual buffers are much larger than a small file. */
function memoryFor(length: number): ZlibOptions {
  const windowBits = Math.min(Math.max(Math.ceil(Math.log2(length + 1)), 9), 15);
  return { windowBits, memLevel: windowBits - 7, chunkSize: Math.min(length + 64, 16 * 1024) };
}

async function* packStream({ content, ...entry }: ZipEntry, offset: number): Packing {
  // Deflate makes a little more of what cannot be packed.
  const large = entry.size + entry.size / 1000 + 1024 >= LARGE_FROM;
  const before: ZipRecord = { ...entry, method: 'deflate', streamed: true, large, crc: 0, packed: 0, offset };
  const header = localHeader(before);
  yield header;
  let [crc, packed, size] = [0, 0, 0];
  async function* summed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  }
  const deflate = pipeline(Readable.from(summed(), { objectMode: false }), createDeflateRaw(), () => {});
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    packed += chunk.length;
    yield chunk;
  }
  const record: ZipRecord = { ...before, crc, packed, size };
  const descriptor = dataDescriptor(record);
  yield descriptor;
  return { record, written: header.length + packed + descriptor.length };
}
