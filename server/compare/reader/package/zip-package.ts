import { crc32, inflateRawSync } from 'node:zlib';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

/** One file of a zip, as its directory tells it. */
export interface Part {
  readonly name: string;
  /** As the directory says; what unpacks to more is refused. */
  readonly size: number;
  readonly crc: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly packed: number;
  /** Of the local header. */
  readonly offset: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const FULL = 0xffffffff;

/** A zip read by its directory. No more than the limit is unpacked of it in all, whatever it says of itself. */
export class ZipPackage {
  readonly parts: ReadonlyMap<string, Part>;
  readonly #bytes: Buffer;
  #left: number = LIMITS.unpacked;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.parts = directoryOf(bytes);
  }

  /** Unpacks a part; undefined where there is none of this name. Throws UnreadError. */
  read(name: string): Buffer | undefined {
    const part = this.parts.get(name);
    if (part === undefined) return undefined;
    if (part.encrypted) throw new UnreadError('encrypted', `${name} is encrypted`);
    const content = this.#unpack(part);
    if (crc32(content) !== part.crc)
      throw new UnreadError('damaged', `${name} does not have the sum that the zip tells`);
    return content;
  }

  #unpack({ name, method, packed, size, offset }: Part): Buffer {
    const at = offset + 30;
    if (at > this.#bytes.length || this.#bytes.readUInt32LE(offset) !== LOCAL)
      throw damaged(`${name} is not where it should be`);
    const start = at + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
    const bytes = this.#bytes.subarray(start, start + packed);
    if (bytes.length !== packed) throw damaged(`${name} is cut off`);
    if (size > this.#left) throw tooLarge();
    const content = method === 0 ? bytes : method === 8 ? this.#inflate(bytes, name) : undefined;
    if (content === undefined) throw new UnreadError('unsupported', `${name} is packed by method ${method}`);
    this.#left -= content.length;
    if (this.#left < 0) throw tooLarge();
    return content;
  }

  #inflate(bytes: Buffer, name: string): Buffer {
    try {
      // At least one: zero would mean that nothing may come out, and is refused by zlib.
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, this.#left) });
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge();
      throw new UnreadError('damaged', `${name} cannot be unpacked`, { cause: error });
    }
  }
}

function directoryOf(bytes: Buffer): ReadonlyMap<string, Part> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > LIMITS.parts) throw new UnreadError('too_many', `the package has ${count} parts`);
  const parts = new Map<string, Part>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = count; left > 0; left--) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== ENTRY) throw damaged('the directory of the zip is broken');
    const [name, extra, comment] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const part = partAt(bytes, at, { name, extra });
    if (!parts.has(part.name)) parts.set(part.name, part);
    at += 46 + name + extra + comment;
  }
  return parts;
}

function partAt(bytes: Buffer, at: number, length: { readonly name: number; readonly extra: number }): Part {
  const afterName = at + 46 + length.name;
  const wide = wideFields(bytes.subarray(afterName, afterName + length.extra));
  const field = (offset: number): number => {
    const value = bytes.readUInt32LE(at + offset);
    return value === FULL ? (wide.shift() ?? value) : value;
  };
  // In the order of the ZIP64 field: size, packed size, offset.
  const [size, packed, offset] = [field(24), field(20), field(42)];
  return {
    name: bytes.subarray(at + 46, afterName).toString(),
    size,
    packed,
    offset,
    crc: bytes.readUInt32LE(at + 16),
    method: bytes.readUInt16LE(at + 10),
    encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
  };
}

/** The numbers of the ZIP64 extra field. */
function wideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(field.length / 8) }, (_, i) => Number(field.readBigUInt64LE(i * 8)));
  }
  return [];
}

function endOf(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - 22 - 0xffff);
  for (let at = bytes.length - 22; at >= lowest; at--) if (bytes.readUInt32LE(at) === END) return at;
  throw damaged('the zip has no directory');
}

const damaged = (detail: string): UnreadError => new UnreadError('damaged', detail);
const tooLarge = (): UnreadError => new UnreadError('too_large', `unpacks to more than ${LIMITS.unpacked} bytes`);
