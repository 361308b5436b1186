import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseOid } from '../../domain/ids.ts';
import { OBJECT_FILE, type ObjectFile } from '../objects/object-file.ts';
import type { RefUpdate } from '../ref-transaction.ts';

/** All that a move of refs needs to come to pass, in one piece. */
export interface AheadNote {
  /** Whose refs they are, among those that share a folder of notes. */
  readonly owner: string;
  /** Its number among its owner's. */
  readonly n: number;
  readonly updates: readonly RefUpdate[];
  /** The files of the new objects. */
  readonly files: readonly ObjectFile[];
  /** What its owner wants to know besides; JSON. */
  readonly record?: unknown;
}

const MAGIC = 'devloop1';
const SUM_BYTES = 20;
const SIZES_BYTES = 8;
const HEAD_BYTES = MAGIC.length + SIZES_BYTES + SUM_BYTES;
/** What is written over a note's first letters, and makes it none. */
export const NO_NOTE: Uint8Array = Buffer.alloc(MAGIC.length);

const oid = z.string().transform((text) => parseOid(text));
const schema = z.object({
  owner: z.string(),
  n: z.int(),
  updates: z.array(z.object({ ref: z.string(), old: oid, new: oid })),
  files: z.array(z.object({ path: z.string().regex(OBJECT_FILE), bytes: z.int().nonnegative() })),
  record: z.unknown().optional(),
});

/** `devloop1`, the sizes of what follows (twice 4 bytes, big-endian), its SHA-1 (20 bytes), the note as JSON, the files' bytes. */
export function encodeNote({ files, ...note }: AheadNote): Buffer {
  const about = JSON.stringify({ ...note, files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })) });
  const json = Buffer.from(about);
  const all = Buffer.concat([Buffer.alloc(HEAD_BYTES), json, ...files.map(({ bytes }) => bytes)]);
  all.write(MAGIC, 'latin1');
  all.writeUInt32BE(json.length, MAGIC.length);
  all.writeUInt32BE(all.length - HEAD_BYTES - json.length, MAGIC.length + 4);
  all.write(sumOf(all), HEAD_BYTES - SUM_BYTES, 'hex');
  return all;
}

export const beginsNote = (bytes: Buffer): boolean => bytes.toString('latin1', 0, MAGIC.length) === MAGIC;

/** Undefined where there is none, or not all of it: it was never waited for then. */
export function decodeNote(bytes: Buffer): AheadNote | undefined {
  if (bytes.length < HEAD_BYTES || !beginsNote(bytes)) return undefined;
  const jsonEnd = HEAD_BYTES + bytes.readUInt32BE(MAGIC.length);
  const end = jsonEnd + bytes.readUInt32BE(MAGIC.length + 4);
  const all = bytes.subarray(0, end);
  if (all.length !== end || sumOf(all) !== all.toString('hex', HEAD_BYTES - SUM_BYTES, HEAD_BYTES)) return undefined;
  const { files, ...note } = schema.parse(JSON.parse(all.toString('utf8', HEAD_BYTES, jsonEnd)));
  return { ...note, files: cutInto(files, all.subarray(jsonEnd)) };
}

function cutInto(
  files: readonly { readonly path: string; readonly bytes: number }[],
  contents: Buffer,
): readonly ObjectFile[] {
  let end = 0;
  return files.map(({ path, bytes }) => {
    end += bytes;
    return { path, bytes: contents.subarray(end - bytes, end) };
  });
}

/** Over the sizes too. */
const sumOf = (all: Buffer): string =>
  hash('sha1', Buffer.concat([all.subarray(MAGIC.length, HEAD_BYTES - SUM_BYTES), all.subarray(HEAD_BYTES)]));
