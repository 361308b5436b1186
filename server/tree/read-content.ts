import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs';
import { type BytePath, parentPath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import type { Oid } from '../domain/ids.ts';
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

/**
 * Reads a file's or link's content into a sink. Neither the file nor a folder above it is followed where it is a link:
 * what was opened must lie where its path says.
 * @returns the entry with its object id and with the stamp that the content had, or why it could not be read
 */
export function readContent(place: ContentPlace, entry: DiskFile, sink: ObjectSink): DiskFile | LeftOutReason {
  try {
    return entry.kind === 'link' ? readLink(place, entry, sink) : readFile(place, entry, sink);
  } catch (error) {
    return reasonOf(error);
  }
}

/** A file that is replaced or written to while it is read is tried again. */
const TRIES = 3;

function readLink({ root, path }: ContentPlace, entry: DiskFile, sink: ObjectSink): DiskFile | LeftOutReason {
  const text = readlinkSync(diskPath(root, path), { encoding: 'buffer' });
  const folder = Buffer.from(diskPath(root, parentPath(path)));
  if (!realpathSync.native(folder, { encoding: 'buffer' }).equals(folder)) return 'vanished';
  return { ...entry, oid: sink.put('blob', text) };
}

function readFile(place: ContentPlace, entry: DiskFile, sink: ObjectSink): DiskFile | LeftOutReason {
  const at = diskPath(place.root, place.path);
  for (let left = TRIES; ; left--) {
    const taken = readOnce(at, entry, sink, left === 1);
    if (taken !== 'moved') return taken;
    if (left === 1) return 'vanished';
  }
}

function readOnce(
  at: string | Buffer,
  entry: DiskFile,
  sink: ObjectSink,
  last: boolean,
): DiskFile | LeftOutReason | 'moved' {
  const seen = Date.now();
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) return 'special_file';
    const oid = takeContent(fd, before.size, sink);
    if (!liesAt(fd, at)) return 'moved';
    if (!last && !sameContent(before, fstatSync(fd))) return 'moved';
    return { ...stampOf(before, seen), kind: 'file', name: entry.name, oid };
  } finally {
    closeSync(fd);
  }
}

function takeContent(fd: number, size: number, sink: ObjectSink): Oid {
  if (sink.large !== undefined && size >= sink.large.bytes) return sink.large.put({ fd, size });
  return sink.put('blob', readAll(fd, size));
}

/** Reads up to the size that the file had when it was opened: what grows meanwhile is read next time. */
function readAll(fd: number, size: number): Buffer {
  const content = Buffer.allocUnsafe(size);
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
