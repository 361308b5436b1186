import type { LeftOutReason } from '../domain/commit.ts';
import { entryNamed, type TreeEntryNode, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { ByteReader, ByteWriter } from './byte-buffer.ts';
import type { DiskFile, DiskFolder, LeftName, Stamp } from './disk-tree.ts';

/** What is remembered about a folder between two starts. A cache: without it everything is looked at again. */
export interface TreeState {
  /** Of the rules that the walk went by. */
  readonly rulesKey: string;
  readonly disk: DiskFolder;
  /** The tree that was written or loaded last, with its contents' names. */
  readonly committed: TreeFolder | undefined;
}

/** Writes down a state. */
export function encodeState(out: ByteWriter, { rulesKey, disk, committed }: TreeState): void {
  out.text(rulesKey);
  encodeStamped(out, disk, NEVER);
  encodeFolder(out, disk);
  out.u8(committed === undefined ? 0 : 1);
  if (committed !== undefined) encodeCommitted(out, committed, disk);
}

/** Reads it back. Throws RangeError where it is damaged. */
export function decodeState(input: ByteReader): TreeState {
  const rulesKey = input.text();
  const top = decodeStamped(input, NEVER);
  if (top.kind !== 'folder') throw new RangeError('a state is not of a folder');
  const disk = decodeFolder(input, top);
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
  out.u8(folder.exceptions ? 1 : 0);
  out.text(folder.rules);
  out.count(folder.left.length);
  for (const { name, reason } of folder.left) {
    out.text(name);
    out.u8(REASONS.indexOf(reason));
  }
  out.count(folder.entries.length);
  let before: Before = folder;
  for (const entry of folder.entries) {
    encodeStamped(out, entry, before);
    if (entry.kind === 'folder') encodeFolder(out, entry);
    before = entry;
  }
}

function decodeFolder(input: ByteReader, stamped: Stamped): DiskFolder {
  const exceptions = input.u8() === 1;
  const rules = input.text();
  const left: LeftName[] = [];
  for (let count = input.count(); count > 0; count--) {
    left.push({ name: input.text(), reason: known(REASONS, input.u8()) });
  }
  const entries: (DiskFile | DiskFolder)[] = [];
  let before: Before = stamped;
  for (let count = input.count(); count > 0; count--) {
    const entry = decodeStamped(input, before);
    const { kind } = entry;
    if (kind === 'gitlink') throw new RangeError('a gitlink is not found on a disk');
    entries.push(kind === 'folder' ? decodeFolder(input, entry) : { ...entry, kind });
    before = entry;
  }
  return { ...stamped, kind: 'folder', entries, left, exceptions, rules };
}

type Stamped = Stamp & Pick<TreeFolder, 'name' | 'mode' | 'oid'> & { readonly kind: (typeof KINDS)[number] };

/** What an entry often has in common with the one before it. */
type Before = Pick<Stamped, 'mode' | 'seen'>;
const NEVER: Before = { mode: 0, seen: 0 };

/** Beside the kind, whose two bits come first. */
const HAS_OID = 4;
const OWN_CTIME = 8;
const OWN_MODE = 16;
const OWN_SEEN = 32;

function encodeStamped(out: ByteWriter, entry: Stamped, before: Before): void {
  const { kind, name, size, mtime, ctime, ino, seen, mode, oid } = entry;
  const [ownCtime, ownMode, ownSeen] = [ctime !== mtime, mode !== before.mode, seen !== before.seen];
  out.u8(
    KINDS.indexOf(kind) |
      (oid === undefined ? 0 : HAS_OID) |
      (ownCtime ? OWN_CTIME : 0) |
      (ownMode ? OWN_MODE : 0) |
      (ownSeen ? OWN_SEEN : 0),
  );
  out.text(name);
  out.count(size);
  out.count(ino);
  out.f64(mtime);
  if (ownCtime) out.f64(ctime);
  if (ownMode) out.count(mode);
  if (ownSeen) out.f64(seen);
  if (oid !== undefined) out.hex(oid);
}

function decodeStamped(input: ByteReader, before: Before): Stamped {
  const bits = input.u8();
  const kind = known(KINDS, bits & 3);
  const [name, size, ino, mtime] = [input.text(), input.count(), input.count(), input.f64()];
  const ctime = (bits & OWN_CTIME) === 0 ? mtime : input.f64();
  const mode = (bits & OWN_MODE) === 0 ? before.mode : input.count();
  const seen = (bits & OWN_SEEN) === 0 ? before.seen : input.f64();
  const oid = (bits & HAS_OID) === 0 ? undefined : (input.hex(OID_BYTES) as Oid);
  return { kind, name, mode, oid, size, mtime, ctime, ino, seen };
}

/** A part that the disk has too is a mark only. */
function encodeCommitted(out: ByteWriter, folder: TreeFolder, disk: DiskFolder | undefined): void {
  out.text(folder.name);
  const same = disk?.oid !== undefined && disk.oid === folder.oid;
  out.u8(same ? 1 : 0);
  if (same) return;
  out.count(folder.mode);
  encodeOid(out, folder.oid);
  out.count(folder.entries.length);
  for (const entry of folder.entries) {
    out.u8(KINDS.indexOf(entry.kind));
    if (entry.kind === 'folder') encodeCommitted(out, entry, folderNamed(disk, entry.name));
    else {
      out.text(entry.name);
      out.count(entry.mode);
      encodeOid(out, entry.oid);
    }
  }
}

function decodeCommitted(input: ByteReader, disk: DiskFolder | undefined, name = input.text()): TreeFolder {
  if (input.u8() === 1) {
    if (disk === undefined) throw new RangeError('a mark for a folder that is not there');
    return disk;
  }
  const [mode, oid] = [input.count(), decodeOid(input)];
  const entries: TreeEntryNode[] = [];
  for (let count = input.count(); count > 0; count--) {
    const kind = known(KINDS, input.u8());
    const below = input.text();
    if (kind === 'folder') entries.push(decodeCommitted(input, folderNamed(disk, below), below));
    else entries.push({ kind, name: below, mode: input.count(), oid: decodeOid(input) });
  }
  return { kind: 'folder', name, mode, oid, entries };
}

function folderNamed(folder: DiskFolder | undefined, name: string): DiskFolder | undefined {
  const entry = folder && entryNamed(folder.entries, name);
  return entry?.kind === 'folder' ? entry : undefined;
}

const OID_BYTES = 20;

function encodeOid(out: ByteWriter, oid: Oid | undefined): void {
  out.u8(oid === undefined ? 0 : 1);
  if (oid !== undefined) out.hex(oid);
}

function decodeOid(input: ByteReader): Oid | undefined {
  return input.u8() === 0 ? undefined : (input.hex(OID_BYTES) as Oid);
}

function known<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError('an unknown kind');
  return value;
}
