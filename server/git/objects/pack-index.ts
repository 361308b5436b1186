import { hash } from 'node:crypto';
import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';

/** Where an object stands in a pack. */
export interface PackEntry {
  readonly oid: Oid;
  /** Bytes from the pack's start. */
  readonly offset: number;
  readonly crc32: number;
}

const MAGIC = 0xff744f63;
const VERSION = 2;
const FANOUT_AT = 8;
const OIDS_AT = FANOUT_AT + 256 * 4;
const OID_BYTES = 20;
const LARGE_OFFSET = 0x80000000;

/** Encodes an index of version 2 over a pack's entries; `packSum` is the pack's own checksum, 40 hex digits. */
export function encodePackIndex(entries: readonly PackEntry[], packSum: string): Buffer {
  const sorted = entries.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const large = sorted.filter(({ offset }) => offset >= LARGE_OFFSET);
  const size = OIDS_AT + sorted.length * (OID_BYTES + 8) + large.length * 8 + 2 * OID_BYTES;
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(VERSION, 4);
  writeFanout(bytes, sorted);
  writeTables(bytes, sorted);
  bytes.write(packSum, size - 2 * OID_BYTES, 'hex');
  bytes.write(hash('sha1', bytes.subarray(0, size - OID_BYTES)), size - OID_BYTES, 'hex');
  return bytes;
}

/** Tells which objects a pack holds, from the bytes of its index. */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly count: number;

  /** @param name what an error calls it. Throws `store_damaged` where the bytes are no index of version 2. */
  constructor(bytes: Buffer, name: string) {
    const count = bytes.length < OIDS_AT ? -1 : bytes.readUInt32BE(OIDS_AT - 4);
    const least = OIDS_AT + count * (OID_BYTES + 8) + 2 * OID_BYTES;
    const known = count >= 0 && bytes.readUInt32BE(0) === MAGIC && bytes.readUInt32BE(4) === VERSION;
    if (!known || bytes.length < least) {
      throw new DevLoopError('store_damaged', `the pack index ${name} is damaged`, { data: { name } });
    }
    this.#bytes = bytes;
    this.count = count;
  }

  /** The checksum that the pack ends with; 20 bytes. */
  get packSum(): Buffer {
    return this.#bytes.subarray(-2 * OID_BYTES, -OID_BYTES);
  }

  /** All ids, in their order. */
  *ids(): Generator<Oid> {
    for (let i = 0; i < this.count; i++) {
      yield this.#bytes.toString('hex', OIDS_AT + i * OID_BYTES, OIDS_AT + (i + 1) * OID_BYTES) as Oid;
    }
  }

  /** @param key the object's id as 20 bytes */
  has(key: Buffer): boolean {
    return this.#find(key) !== undefined;
  }

  /** Bytes from the pack's start. @param key the object's id as 20 bytes */
  offsetOf(key: Buffer): number | undefined {
    const at = this.#find(key);
    if (at === undefined) return undefined;
    const offsets = OIDS_AT + this.count * (OID_BYTES + 4);
    const offset = this.#bytes.readUInt32BE(offsets + at * 4);
    if (offset < LARGE_OFFSET) return offset;
    return Number(this.#bytes.readBigUInt64BE(offsets + this.count * 4 + (offset - LARGE_OFFSET) * 8));
  }

  /** How many ids begin with at most this byte. */
  #upTo(first: number): number {
    return this.#bytes.readUInt32BE(FANOUT_AT + first * 4);
  }

  #find(key: Buffer): number | undefined {
    const first = key[0] ?? 0;
    const word = key.readUInt32BE(0);
    let low = first === 0 ? 0 : this.#upTo(first - 1);
    let high = this.#upTo(first);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = OIDS_AT + middle * OID_BYTES;
      // Their first four bytes mostly tell two ids apart, in a tenth of the time that a comparison of all takes.
      const order = this.#bytes.readUInt32BE(at) - word || this.#bytes.compare(key, 0, OID_BYTES, at, at + OID_BYTES);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }
}

function writeFanout(bytes: Buffer, sorted: readonly PackEntry[]): void {
  let done = 0;
  for (let first = 0; first < 256; first++) {
    while (done < sorted.length && Number.parseInt(sorted[done]?.oid.slice(0, 2) ?? '', 16) <= first) done++;
    bytes.writeUInt32BE(done, FANOUT_AT + first * 4);
  }
}

function writeTables(bytes: Buffer, sorted: readonly PackEntry[]): void {
  const crcsAt = OIDS_AT + sorted.length * OID_BYTES;
  const offsetsAt = crcsAt + sorted.length * 4;
  let largeAt = offsetsAt + sorted.length * 4;
  let larges = 0;
  for (const [i, { oid, offset, crc32 }] of sorted.entries()) {
    bytes.write(oid, OIDS_AT + i * OID_BYTES, 'hex');
    bytes.writeUInt32BE(crc32, crcsAt + i * 4);
    if (offset < LARGE_OFFSET) {
      bytes.writeUInt32BE(offset, offsetsAt + i * 4);
      continue;
    }
    bytes.writeUInt32BE(LARGE_OFFSET + larges++, offsetsAt + i * 4);
    bytes.writeBigUInt64BE(BigInt(offset), largeAt);
    largeAt += 8;
  }
}
