import { hash } from 'node:crypto';
import type { BytePath } from '../domain/byte-path.ts';
import type { Oid } from '../domain/ids.ts';
import type { TreeMode } from './objects/tree-format.ts';

/** What git compares with a file's stat to see that it was not touched; milliseconds with a fraction. */
export interface IndexStat {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
}

export interface IndexEntry {
  readonly path: BytePath;
  readonly mode: TreeMode;
  readonly oid: Oid;
  /** Absent where it is not known: git reads the file then. */
  readonly stat?: IndexStat | undefined;
}

/** A folder's tree object, as the index remembers it; saves git from comparing what is below. */
export interface CachedTree {
  readonly name: string;
  readonly oid: Oid;
  /** Entries of the index at any depth below. */
  readonly count: number;
  readonly below: readonly CachedTree[];
}

/** Whose the files are. */
export interface IndexOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface IndexContent {
  /** Encoded entries; all of them together in git's order: by whole path, byte by byte. */
  readonly chunks: readonly Buffer[];
  /** How many entries the chunks hold. */
  readonly count: number;
  readonly tree?: CachedTree;
}

const FIXED_BYTES = 62;
const OID_BYTES = 20;
const MOST_NAME = 0xfff;

/** Encodes git's index, version 2. */
export function encodeIndex({ chunks, count, tree }: IndexContent): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  const bytes = Buffer.concat([
    header,
    ...chunks,
    ...(tree ? [encodeTreeExtension(tree)] : []),
    Buffer.alloc(OID_BYTES),
  ]);
  const end = bytes.length - OID_BYTES;
  bytes.write(hash('sha1', bytes.subarray(0, end)), end, 'hex');
  return bytes;
}

/** Encodes a run of entries. */
export function encodeEntries(entries: readonly IndexEntry[], owner: IndexOwner): Buffer {
  const bytes = Buffer.alloc(entries.reduce((sum, { path }) => sum + entryBytes(path), 0));
  let at = 0;
  for (const entry of entries) at = writeEntry(bytes, at, entry, owner);
  return bytes;
}

/** One to eight NULs fill an entry up to a multiple of eight. */
const entryBytes = (path: string): number => (FIXED_BYTES + path.length + 8) & ~7;

function writeEntry(bytes: Buffer, start: number, entry: IndexEntry, owner: IndexOwner): number {
  const { path, mode, oid, stat } = entry;
  let at = start;
  if (stat !== undefined) {
    at = writeTime(bytes, at, stat.ctime);
    at = writeTime(bytes, at, stat.mtime);
    // Git does not compare the device.
    bytes.writeUInt32BE(stat.ino % 2 ** 32, at + 4);
    bytes.writeUInt32BE(owner.uid, at + 12);
    bytes.writeUInt32BE(owner.gid, at + 16);
    bytes.writeUInt32BE(stat.size % 2 ** 32, at + 20);
  }
  bytes.writeUInt32BE(Number.parseInt(mode, 8), start + 24);
  bytes.write(oid, start + 40, 'hex');
  bytes.writeUInt16BE(Math.min(path.length, MOST_NAME), start + 60);
  bytes.write(path, start + FIXED_BYTES, 'latin1');
  return start + entryBytes(path);
}

function writeTime(bytes: Buffer, at: number, ms: number): number {
  const seconds = Math.floor(ms / 1000);
  const low = bytes.writeUInt32BE(((seconds % 2 ** 32) + 2 ** 32) % 2 ** 32, at);
  return bytes.writeUInt32BE(Math.floor((ms - seconds * 1000) * 1e6), low);
}

function encodeTreeExtension(tree: CachedTree): Buffer {
  const body = encodeCachedTree(tree);
  const header = Buffer.from('TREE\0\0\0\0', 'latin1');
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** Most of them are in the next index as well. */
const encodedTrees = new WeakMap<CachedTree, Buffer>();

function encodeCachedTree(tree: CachedTree): Buffer {
  const known = encodedTrees.get(tree);
  if (known !== undefined) return known;
  const { name, oid, count, below } = tree;
  const own = [Buffer.from(`${name}\0${count} ${below.length}\n`, 'latin1'), Buffer.from(oid, 'hex')];
  const bytes = Buffer.concat([...own, ...below.map(encodeCachedTree)]);
  encodedTrees.set(tree, bytes);
  return bytes;
}
