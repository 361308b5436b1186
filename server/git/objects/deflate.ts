import { promisify } from 'node:util';
import { deflate, deflateSync, type ZlibOptions } from 'node:zlib';
import type { Oid } from '../../domain/ids.ts';
import { isDense } from './dense-content.ts';
import type { ObjectKind } from './object-id.ts';

/** An object that the store does not have yet. */
export interface NewObject {
  readonly oid: Oid;
  readonly kind: ObjectKind;
  readonly content: Uint8Array;
  /** The content's zlib stream, where there is one already. */
  readonly deflated?: Buffer | undefined;
}

/** From this size on, compressing is worth a trip off the main thread; bytes. */
export const LARGE_BYTES = 256 * 1024;

/** Beyond it sources get hardly smaller, and take longer; below it they stay a tenth larger. */
const LEVEL = 5;
/** The buffers for a result are hardly larger than what most need, as those of thousands lie about before they are collected; bytes. */
const MOST_BUFFER = 16 * 1024;
/** What fits into one block that is stored as it is; bytes. */
const MOST_STORED = 0xffff;
/** Such content fits into a window and tables that are made in a moment, and come out the same; bytes. */
const SMALL = 3800;
const SMALL_OPTIONS = { windowBits: 12, memLevel: 6 };
/** Shorter content is not worth the start of a compressor; bytes. */
const WORTHWHILE = 64;
const ADLER_BASE = 65521;
/** Sums of so many bytes do not leave the range of exact small integers. */
const ADLER_CHUNK = 3800;

/** Compresses an object's content; that of a tree is stored as it is: it is mostly ids, and a repack packs it better. */
export function deflateObject({ kind, content, deflated }: NewObject): Buffer {
  if (deflated !== undefined) return deflated;
  const plain = content.length < WORTHWHILE || (kind === 'tree' && content.length <= MOST_STORED);
  return plain ? storedStream(content) : deflateNow(content);
}

export const deflateNow = (content: Uint8Array): Buffer => deflateSync(content, optionsFor(content));

const deflateAsync = promisify<Uint8Array, ZlibOptions, Buffer>(deflate);

/** Compresses off the main thread. */
export const deflateSoon = (content: Uint8Array): Promise<Buffer> => deflateAsync(content, optionsFor(content));

function optionsFor(content: Uint8Array): ZlibOptions {
  const { length } = content;
  if (isDense(content)) return { level: 0, chunkSize: length + Math.ceil(length / 256) + WORTHWHILE };
  const chunkSize = Math.min(Math.max(Math.ceil(length * 0.6), WORTHWHILE), MOST_BUFFER);
  return { level: LEVEL, chunkSize, ...(length <= SMALL && SMALL_OPTIONS) };
}

/** A zlib stream (RFC 1950) of one stored block (RFC 1951, 3.2.4). */
function storedStream(content: Uint8Array): Buffer {
  const size = content.length;
  const stream = Buffer.allocUnsafe(size + 11);
  stream.writeUInt16BE(0x7801, 0);
  stream.writeUInt8(1, 2);
  stream.writeUInt16LE(size, 3);
  stream.writeUInt16LE(size ^ 0xffff, 5);
  stream.set(content, 7);
  stream.writeUInt32BE(adler32(content), size + 7);
  return stream;
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + ADLER_CHUNK, bytes.length);
    for (; at < end; at++) {
      a += bytes[at] ?? 0;
      b += a;
    }
    a %= ADLER_BASE;
    b %= ADLER_BASE;
  }
  return b * 65536 + a;
}
