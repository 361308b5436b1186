import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';
import { type BytePath, parentPath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import { diskPath } from './disk-path.ts';
import type { DiskFile } from './disk-tree.ts';
import { reasonOf, stampOf } from './folder-listing.ts';
import type { ObjectSink } from './object-sink.ts';

/** What a file is read from. */
export interface ContentPlace {
  /** Absolute path without links in it. */
  readonly root: string;
  readonly path: BytePath;
}

/** What of an entry its reading goes by. */
export type ContentEntry = { readonly kind: 'file'; readonly name: string } | (DiskFile & { readonly kind: 'link' });

/**
 * Reads a file's or link's content into a sink. Neither the file nor a folder above it is followed where it is a link:
 * what was opened must lie where its path says.
 * @returns the entry with its object id and with the stamp that the content had, or why it could not be read
 */
export function* readContent(
  place: ContentPlace,
  entry: ContentEntry,
  sink: ObjectSink,
): Generator<undefined, DiskFile | LeftOutReason> {
  return entry.kind === 'link' ? readLink(place, entry, sink) : yield* readFile(place, entry, sink);
}

function readLink({ root, path }: ContentPlace, entry: DiskFile, sink: ObjectSink): DiskFile | LeftOutReason {
  const text = orReason(() => {
    const found = readlinkSync(diskPath(root, path), { encoding: 'buffer' });
    const folder = Buffer.from(diskPath(root, parentPath(path)));
    return realpathSync.native(folder, { encoding: 'buffer' }).equals(folder) ? found : 'vanished';
  });
  return typeof text === 'string' ? text : { ...entry, oid: sink.put('blob', text) };
}

/** A file that is replaced or written to while it is read is tried again. */
const TRIES = 3;

function* readFile(
  { root, path }: ContentPlace,
  entry: ContentEntry,
  sink: ObjectSink,
): Generator<undefined, DiskFile | LeftOutReason> {
  const at = diskPath(root, path);
  for (let tries = TRIES; tries > 0; tries--) {
    const taken = yield* readOnce(at, { entry, sink, last: tries === 1 });
    if (taken !== 'moved') return taken;
  }
  return 'vanished';
}

interface Attempt {
  readonly entry: ContentEntry;
  readonly sink: ObjectSink;
  /** Content that is being written to is taken as it is. */
  readonly last: boolean;
}

function* readOnce(
  at: string | Buffer,
  { entry, sink, last }: Attempt,
): Generator<undefined, DiskFile | LeftOutReason | 'moved'> {
  const seen = Date.now();
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = orReason(() => openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (typeof fd === 'string') return fd;
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) return 'special_file';
    if (!liesAt(fd, at)) return 'moved';
    const { large } = sink;
    if (large !== undefined && before.size >= large.bytes) {
      const oid = yield* large.put({ fd, size: before.size });
      return { ...stampOf(before, seen), kind: 'file', name: entry.name, oid };
    }
    const content = orReason(() => readAll(fd, before.size, sink.scratch));
    if (typeof content === 'string') return content;
    if (!last && !sameContent(before, fstatSync(fd))) return 'moved';
    const oid = sink.put('blob', content);
    return { ...stampOf(before, seen), kind: 'file', name: entry.name, oid };
  } finally {
    closeSync(fd);
  }
}

/** What the system refuses while reading is a finding about the file; what a sink throws is not. */
function orReason<Result>(read: () => Result): Result | LeftOutReason {
  try {
    return read();
  } catch (error) {
    return reasonOf(error);
  }
}

/** Reads up to the size that the file had when it was opened: what grows meanwhile is read next time. */
function readAll(fd: number, size: number, scratch: Buffer | undefined): Buffer {
  const content = scratch !== undefined && size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const count = readSync(fd, content, done, size - done, done);
    if (count === 0) break;
    done += count;
  }
  return content.subarray(0, done);
}

function liesAt(fd: number, at: string | Buffer): boolean {
  const path = Buffer.from(at);
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' }).equals(path);
  return realpathSync.native(path, { encoding: 'buffer' }).equals(path);
}

function sameContent(a: Stats, b: Stats): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
