/** What the kernel says over /dev/fuse (include/uapi/linux/fuse.h, protocol 7.31), as far as a folder with one file needs it. */
export const OPCODE = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  RELEASEDIR: 29,
  INTERRUPT: 36,
  DESTROY: 38,
  BATCH_FORGET: 42,
} as const;

export const ERRNO = { ENOENT: 2, ENOSYS: 38 } as const;

export interface FuseRequest {
  readonly opcode: number;
  readonly unique: bigint;
  readonly node: bigint;
  readonly body: Buffer;
}

const IN_HEADER = 40;
const OUT_HEADER = 16;
/** Largest write that is taken at once; bytes. */
export const MOST_WRITE = 128 * 1024;
export const REQUEST_BYTES = MOST_WRITE + 4096 * 4;
export const FILE_NODE = 2n;

export function parseRequest(bytes: Buffer): FuseRequest {
  return {
    opcode: bytes.readUInt32LE(4),
    unique: bytes.readBigUInt64LE(8),
    node: bytes.readBigUInt64LE(16),
    body: bytes.subarray(IN_HEADER, bytes.readUInt32LE(0)),
  };
}

/** @param outcome the answer's body, or the number of an error */
export function encodeReply({ unique }: FuseRequest, outcome: Buffer | number): Buffer {
  const body = typeof outcome === 'number' ? Buffer.alloc(0) : outcome;
  const header = Buffer.alloc(OUT_HEADER);
  header.writeUInt32LE(OUT_HEADER + body.length, 0);
  header.writeInt32LE(typeof outcome === 'number' ? -outcome : 0, 4);
  header.writeBigUInt64LE(unique, 8);
  return Buffer.concat([header, body]);
}

export function initReply(): Buffer {
  const reply = Buffer.alloc(64);
  reply.writeUInt32LE(7, 0);
  reply.writeUInt32LE(31, 4);
  reply.writeUInt32LE(MOST_WRITE, 8);
  // FUSE_ASYNC_READ and FUSE_BIG_WRITES
  reply.writeUInt32LE(1 | (1 << 5), 12);
  reply.writeUInt16LE(16, 16);
  reply.writeUInt16LE(12, 18);
  reply.writeUInt32LE(MOST_WRITE, 20);
  reply.writeUInt32LE(1, 24);
  return reply;
}

/** Attributes of the folder or the file in it, believed for a day. */
export function attributes(node: bigint, size: number): Buffer {
  const attr = Buffer.alloc(88);
  attr.writeBigUInt64LE(node, 0);
  attr.writeBigUInt64LE(BigInt(node === FILE_NODE ? size : 0), 8);
  attr.writeBigUInt64LE(BigInt(Math.ceil(size / 512)), 16);
  attr.writeUInt32LE(node === FILE_NODE ? 0o100600 : 0o40700, 60);
  attr.writeUInt32LE(node === FILE_NODE ? 1 : 2, 64);
  attr.writeUInt32LE(4096, 80);
  return attr;
}

const DAY_S = 86_400n;

export function attrReply(node: bigint, size: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeBigUInt64LE(DAY_S, 0);
  return Buffer.concat([head, attributes(node, size)]);
}

export function entryReply(size: number): Buffer {
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(FILE_NODE, 0);
  head.writeBigUInt64LE(DAY_S, 16);
  head.writeBigUInt64LE(DAY_S, 24);
  return Buffer.concat([head, attributes(FILE_NODE, size)]);
}
