import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { hasCode } from '../../io/io-error.ts';

const MAGIC = Buffer.from('PACK');
const SUM_BYTES = 20;
const HEADER_BYTES = 12;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Tells whether a file begins as a pack and ends with this checksum (20 bytes): cheap, and finds one that was cut, emptied
 * or written over. False where it is absent, a link or no regular file. What stands between is not looked at.
 */
export function packEndsWith(path: string, sum: Buffer): boolean {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) return false;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size < HEADER_BYTES + SUM_BYTES) return false;
    return bytesAt(fd, 0, MAGIC.length).equals(MAGIC) && bytesAt(fd, stats.size - SUM_BYTES, SUM_BYTES).equals(sum);
  } finally {
    closeSync(fd);
  }
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, position);
  return bytes;
}
