import { createHash } from 'node:crypto';
import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ObjectKind } from './object-id.ts';

export const HEADER_BYTES = 12;

const KIND_NUMBER: Readonly<Record<ObjectKind, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const CHUNK_BYTES = 1 << 20;

const readAt = promisify(read);

/** What a pack begins with. */
export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  return header;
}

/** What stands before an object's data. Kind and size: the size's low four bits first, then seven at a time. */
export function entryHeader(kind: ObjectKind, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (KIND_NUMBER[kind] << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128);
    byte = rest & 127;
  }
  return Buffer.from([...bytes, byte]);
}

/** The checksum of a file's first bytes, 40 hex digits; a large file is read off the main thread. */
export async function hashFile(fd: number, size: number): Promise<string> {
  const sum = createHash('sha1');
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let at = 0; at < size; ) {
    const count = size <= CHUNK_BYTES ? readSync(fd, buffer, 0, size, at) : await readSoon(fd, buffer, at);
    if (count === 0) throw new Error('a pack that is being written was cut');
    sum.update(buffer.subarray(0, count));
    at += count;
  }
  return sum.digest('hex');
}

const readSoon = async (fd: number, buffer: Buffer, at: number): Promise<number> =>
  (await readAt(fd, buffer, 0, buffer.length, at)).bytesRead;
