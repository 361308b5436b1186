import { readSync } from 'node:fs';
import { inflateSync, type Zlib } from 'node:zlib';
import { hasCode } from '../../io/io-error.ts';
import type { ObjectKind } from './object-id.ts';

/** An object that stands in a pack as it is, not as a difference from another. */
export interface PackedEntry {
  readonly kind: ObjectKind;
  readonly content: Buffer;
  /** As it stands in the pack: a zlib stream. */
  readonly deflated: Buffer;
}

const KINDS: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const MOST_HEADER_BYTES = 10;
/** What one stored block can hold, what is around it, and what of that comes after it; bytes. */
const [MOST_STORED, STORED_BYTES, SUM_BYTES] = [0xffff, 11, 4];
const [LEAST_CHUNK, MOST_CHUNK] = [64, 16 * 1024];
/** How much longer a zlib stream can be than its content, bytes. */
const slack = (size: number): number => 64 + Math.ceil(size / 1000);

/**
 * Reads what stands at an offset of a pack; undefined for a difference, for more than `limit` bytes of content, and for
 * what is no object. Whether it is the one that was looked for only its hash can tell.
 */
export function packedEntry(fd: number, offset: number, limit: number): PackedEntry | undefined {
  const header = entryHeader(bytesAt(fd, offset, MOST_HEADER_BYTES));
  if (header === undefined || header.size > limit) return undefined;
  const { kind, size, length } = header;
  const bytes = bytesAt(fd, offset + length, size + slack(size));
  const inflated = (kind === 'tree' ? storedContent(bytes, size) : undefined) ?? inflate(bytes, size);
  if (inflated === undefined || inflated.content.length !== size) return undefined;
  return { kind, content: inflated.content, deflated: bytes.subarray(0, inflated.used) };
}

/** What an object at an offset of a pack is said to be, and its content's size in bytes; undefined for a difference. */
export function packedSize(
  fd: number,
  offset: number,
): { readonly kind: ObjectKind; readonly size: number } | undefined {
  const header = entryHeader(bytesAt(fd, offset, MOST_HEADER_BYTES));
  return header && { kind: header.kind, size: header.size };
}

function entryHeader(
  bytes: Buffer,
): { readonly kind: ObjectKind; readonly size: number; readonly length: number } | undefined {
  const first = bytes[0] ?? 0;
  const kind = KINDS[(first >> 4) & 7];
  let size = first & 15;
  let length = 1;
  for (let byte = first, unit = 16; (byte & 128) !== 0; unit *= 128) {
    byte = bytes[length++] ?? 0;
    size += (byte & 127) * unit;
  }
  return kind === undefined || length > bytes.length ? undefined : { kind, size, length };
}

/** What is in a zlib stream of one stored block (RFC 1951, 3.2.4), as this store writes trees; its own sum is not looked at. */
function storedContent(bytes: Buffer, size: number): Inflated | undefined {
  const used = size + STORED_BYTES;
  if (size > MOST_STORED || bytes.length < used || bytes.readUInt16BE(0) !== 0x7801 || bytes[2] !== 1) return undefined;
  if (bytes.readUInt16LE(3) !== size || bytes.readUInt16LE(5) !== (size ^ MOST_STORED)) return undefined;
  return { content: bytes.subarray(STORED_BYTES - SUM_BYTES, used - SUM_BYTES), used };
}

interface Inflated {
  readonly content: Buffer;
  readonly used: number;
}

/** A zlib stream with whatever follows it; undefined where it is none, or longer than it should be. */
export function inflate(bytes: Buffer, size: number): Inflated | undefined {
  try {
    // With `info` the result is an object, which Node's types do not say.
    const result = inflateSync(bytes, {
      info: true,
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.min(Math.max(size + 1, LEAST_CHUNK), MOST_CHUNK),
    }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: Zlib;
    };
    return { content: result.buffer, used: result.engine.bytesWritten };
  } catch (error) {
    if (hasCode(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT', 'ERR_BUFFER_TOO_LARGE')) return undefined;
    throw error;
  }
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}
