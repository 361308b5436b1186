import { isUtf8 } from 'node:buffer';

/** What a zip says of one entry. The format: PKWARE's APPNOTE.TXT 6.3.10; the time field 0x5455 is Info-ZIP's. */
export interface ZipRecord {
  readonly name: Uint8Array;
  /** Type and permission bits as on Unix. */
  readonly mode: number;
  readonly time: Date;
  readonly method: 'store' | 'deflate';
  /** True where sums and sizes come after the content: a stream's are not known before. */
  readonly streamed: boolean;
  /** Lengths are written in 64 bits. */
  readonly large: boolean;
  readonly crc: number;
  /** Bytes in the zip. */
  readonly packed: number;
  /** Bytes of the content. */
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/** From this length on 64 bits are needed. */
export const LARGE_FROM = 0xffffffff;

/** What stands before the content. */
export function localHeader(record: ZipRecord): Buffer {
  const extra = Buffer.concat([
    timeField(record.time),
    ...(record.large ? [largeField(known(record.size, record), known(record.packed, record))] : []),
  ]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, record);
  header.writeUInt16LE(record.name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, record.name, extra]);
}

/** What stands after the content of a streamed entry. */
export function dataDescriptor({ crc, packed, size, large }: ZipRecord): Buffer {
  const descriptor = Buffer.alloc(large ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (large) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packed, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

/** The entry's line in the directory at the end. */
export function directoryRecord(record: ZipRecord): Buffer {
  const far = record.offset >= LARGE_FROM;
  const lengths = [...(record.large ? [record.size, record.packed] : []), ...(far ? [record.offset] : [])];
  const extra = Buffer.concat([timeField(record.time), ...(lengths.length > 0 ? [largeField(...lengths)] : [])]);
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(MADE_ON_UNIX, 4);
  writeCommon(line, 6, { ...record, streamed: false });
  line.writeUInt16LE(flags(record), 8);
  line.writeUInt16LE(record.name.length, 28);
  line.writeUInt16LE(extra.length, 30);
  line.writeUInt32LE((record.mode << 16) >>> 0, 38);
  line.writeUInt32LE(far ? LARGE_FROM : record.offset, 42);
  return Buffer.concat([line, record.name, extra]);
}

/** What ends a zip. */
export function endOfDirectory({
  count,
  offset,
  length,
}: {
  readonly count: number;
  readonly offset: number;
  readonly length: number;
}): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(length, LARGE_FROM), 12);
  end.writeUInt32LE(Math.min(offset, LARGE_FROM), 16);
  return count < 0xffff && offset < LARGE_FROM && length < LARGE_FROM
    ? end
    : Buffer.concat([largeEnd({ count, offset, length }), end]);
}

const MADE_ON_UNIX = (3 << 8) | 63;

function writeCommon(header: Buffer, at: number, record: ZipRecord): void {
  const { time, large } = record;
  header.writeUInt16LE(large ? 45 : 20, at);
  header.writeUInt16LE(flags(record), at + 2);
  header.writeUInt16LE(record.method === 'deflate' ? 8 : 0, at + 4);
  header.writeUInt16LE((time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1), at + 6);
  header.writeUInt16LE(
    (Math.max(time.getUTCFullYear() - 1980, 0) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
    at + 8,
  );
  header.writeUInt32LE(known(record.crc, record), at + 10);
  header.writeUInt32LE(large ? LARGE_FROM : known(record.packed, record), at + 14);
  header.writeUInt32LE(large ? LARGE_FROM : known(record.size, record), at + 18);
}

const known = (value: number, { streamed }: ZipRecord): number => (streamed ? 0 : value);

/** A name that is no UTF-8 goes without the flag that says it is. */
function flags({ name, streamed }: ZipRecord): number {
  return (isUtf8(name) ? 0x0800 : 0) | (streamed ? 0x0008 : 0);
}

function timeField(time: Date): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(Math.min(Math.max(Math.floor(time.getTime() / 1000), 0), 0xffffffff), 5);
  return field;
}

function largeField(...lengths: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + lengths.length * 8);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(lengths.length * 8, 2);
  for (const [i, length] of lengths.entries()) field.writeBigUInt64LE(BigInt(length), 4 + i * 8);
  return field;
}

function largeEnd({
  count,
  offset,
  length,
}: {
  readonly count: number;
  readonly offset: number;
  readonly length: number;
}): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(MADE_ON_UNIX, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
