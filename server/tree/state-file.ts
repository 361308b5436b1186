import { createHash, hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { LeftOutReason } from '../domain/commit.ts';
import { entryNamed, type TreeEntryNode, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { hasCode } from '../io/io-error.ts';
import { writeFully } from '../io/write-atomic.ts';
import { ByteReader, ByteWriter } from './byte-buffer.ts';
import type { DiskFile, DiskFolder, LeftName, Stamp } from './disk-tree.ts';

/** What is remembered about a folder between two starts. A cache: without it everything is looked at again. */
export interface TreeState {
  /** Of the rules that the walk went by. */
  readonly rulesKey: string;
  readonly disk: DiskFolder;
  /** The tree that was written or loaded last, with its contents' names. */
  readonly committed: TreeFolder | undefined;
}

const MAGIC = 'devloop tree state 1\n';
const SUM_BYTES = 20;

/** Reads a state file; undefined where there is none, and where it is damaged or of another version. */
export function readState(path: string): TreeState | undefined {
  try {
    const bytes = readFileSync(path);
    const body = bytes.subarray(0, -SUM_BYTES);
    const sum = bytes.subarray(-SUM_BYTES).toString('hex');
    if (!body.toString('latin1', 0, MAGIC.length).startsWith(MAGIC) || hash('sha1', body) !== sum) return undefined;
    return decode(new ByteReader(body.subarray(MAGIC.length)));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Replaces a state file. A reader sees the old or the new one; nothing is synced, since its loss costs time only. So
 * does a folder that is gone, full or read-only: then nothing is written.
 */
export function writeState(path: string, state: TreeState): void {
  const out = new ByteWriter();
  out.text(state.rulesKey);
  encodeFolder(out, state.disk);
  out.u8(state.committed === undefined ? 0 : 1);
  if (state.committed !== undefined) encodeCommitted(out, state.committed, state.disk);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeParts(temporary, [Buffer.from(MAGIC, 'latin1'), out.bytes()]);
    renameSync(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO')) throw error;
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EROFS')) rmSync(temporary, { force: true });
  }
}

/** Writes parts and their checksum; together they may be large. */
function writeParts(path: string, parts: readonly Buffer[]): void {
  const sum = createHash('sha1');
  const fd = openSync(path, 'w');
  try {
    for (const part of parts) {
      sum.update(part);
      writeFully(fd, part);
    }
    writeFully(fd, sum.digest());
  } finally {
    closeSync(fd);
  }
}

function decode(input: ByteReader): TreeState {
  const rulesKey = input.text();
  const disk = decodeFolder(input, input.text());
  const committed = input.u8() === 0 ? undefined : decodeCommitted(input, disk);
  if (!input.atEnd) throw new RangeError('more bytes than a state has');
  return { rulesKey, disk, committed };
}

const KINDS = ['folder', 'file', 'link', 'gitlink'] as const;
const REASONS: readonly LeftOutReason[] = [
  'ignored',
  'too_large',
  'secret_name',
  'special_file',
  'reserved_name',
  'unreadable',
  'vanished',
];

function encodeFolder(out: ByteWriter, folder: DiskFolder): void {
  out.text(folder.name);
  encodeStamp(out, folder);
  out.u8(folder.exceptions ? 1 : 0);
  out.text(folder.rules);
  out.u32(folder.left.length);
  for (const { name, reason } of folder.left) {
    out.text(name);
    out.u8(REASONS.indexOf(reason));
  }
  out.u32(folder.entries.length);
  for (const entry of folder.entries) {
    out.u8(KINDS.indexOf(entry.kind));
    if (entry.kind === 'folder') encodeFolder(out, entry);
    else {
      out.text(entry.name);
      encodeStamp(out, entry);
    }
  }
}

function decodeFolder(input: ByteReader, name: string): DiskFolder {
  const stamp = decodeStamp(input);
  const exceptions = input.u8() === 1;
  const rules = input.text();
  const left: LeftName[] = [];
  for (let count = input.u32(); count > 0; count--) {
    left.push({ name: input.text(), reason: known(REASONS, input.u8()) });
  }
  const entries: (DiskFile | DiskFolder)[] = [];
  for (let count = input.u32(); count > 0; count--) {
    const kind = known(KINDS, input.u8());
    const below = input.text();
    if (kind === 'gitlink') throw new RangeError('a gitlink is not found on a disk');
    entries.push(kind === 'folder' ? decodeFolder(input, below) : { ...decodeStamp(input), kind, name: below });
  }
  return { ...stamp, kind: 'folder', name, entries, left, exceptions, rules };
}

type Stamped = Stamp & { readonly mode: number; readonly oid: Oid | undefined };

function encodeStamp(out: ByteWriter, { size, mtime, ctime, ino, seen, mode, oid }: Stamped): void {
  for (const value of [size, mtime, ctime, ino, seen]) out.f64(value);
  out.u32(mode);
  encodeOid(out, oid);
}

function decodeStamp(input: ByteReader): Stamped {
  const [size, mtime, ctime, ino, seen] = [input.f64(), input.f64(), input.f64(), input.f64(), input.f64()];
  return { size, mtime, ctime, ino, seen, mode: input.u32(), oid: decodeOid(input) };
}

/** A part that the disk has too is a mark only. */
function encodeCommitted(out: ByteWriter, folder: TreeFolder, disk: DiskFolder | undefined): void {
  out.text(folder.name);
  const same = disk?.oid !== undefined && disk.oid === folder.oid;
  out.u8(same ? 1 : 0);
  if (same) return;
  out.u32(folder.mode);
  encodeOid(out, folder.oid);
  out.u32(folder.entries.length);
  for (const entry of folder.entries) {
    out.u8(KINDS.indexOf(entry.kind));
    if (entry.kind === 'folder') encodeCommitted(out, entry, folderNamed(disk, entry.name));
    else {
      out.text(entry.name);
      out.u32(entry.mode);
      encodeOid(out, entry.oid);
    }
  }
}

function decodeCommitted(input: ByteReader, disk: DiskFolder | undefined, name = input.text()): TreeFolder {
  if (input.u8() === 1) {
    if (disk === undefined) throw new RangeError('a mark for a folder that is not there');
    return disk;
  }
  const [mode, oid] = [input.u32(), decodeOid(input)];
  const entries: TreeEntryNode[] = [];
  for (let count = input.u32(); count > 0; count--) {
    const kind = known(KINDS, input.u8());
    const below = input.text();
    if (kind === 'folder') entries.push(decodeCommitted(input, folderNamed(disk, below), below));
    else entries.push({ kind, name: below, mode: input.u32(), oid: decodeOid(input) });
  }
  return { kind: 'folder', name, mode, oid, entries };
}

function folderNamed(folder: DiskFolder | undefined, name: string): DiskFolder | undefined {
  const entry = folder && entryNamed(folder.entries, name);
  return entry?.kind === 'folder' ? entry : undefined;
}

function encodeOid(out: ByteWriter, oid: Oid | undefined): void {
  out.u8(oid === undefined ? 0 : 1);
  if (oid !== undefined) out.hex(oid);
}

function decodeOid(input: ByteReader): Oid | undefined {
  return input.u8() === 0 ? undefined : (input.hex(20) as Oid);
}

function known<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError('an unknown kind');
  return value;
}
