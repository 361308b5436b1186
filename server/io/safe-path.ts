import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { hasCode, IoError } from './io-error.ts';
import { type WriteOptions, writeFully, writeNew } from './write-atomic.ts';

// Paths here are relative to a root that the caller vouches for, and are byte strings: each character is one byte, `/`
// separates. Each folder on the way is opened by the descriptor of the one above it, so that a folder which somebody swaps
// for a link meanwhile is refused and never followed. Without /proc/self/fd (not Linux) the folders are opened by path
// one after the other, which holds only while nobody else writes there.
const BY_DESCRIPTOR = existsSync('/proc/self/fd');
const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Reads a regular file.
 * @returns undefined where it, or a folder above it, is absent.
 * @throws IoError path_refused on a link, a folder, a pipe or a device; too_large where it has more than `limit` bytes.
 */
export function readBelow(root: string, path: string, limit: number): Buffer | undefined {
  try {
    return inParent(root, { path }, (folder, name) => {
      const fd = openFile(folder, { name, flags: O_RDONLY, path });
      try {
        return readLimited(fd, { path, limit });
      } finally {
        closeSync(fd);
      }
    });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Opens a regular file for reading, to be closed by the caller; absence and errors as `readBelow` has them. */
export function openBelow(root: string, path: string): number | undefined {
  try {
    return inParent(root, { path }, (folder, name) => openFile(folder, { name, flags: O_RDONLY, path }));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Reads the text of a link; undefined where what is there is no link, or nothing. Throws IoError path_refused. */
export function readLinkBelow(root: string, path: string): Buffer | undefined {
  try {
    return inParent(root, { path }, (folder, name) => readlinkSync(folder.at(name), { encoding: 'buffer' }));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EINVAL')) return undefined;
    throw error;
  }
}

export interface WriteBelowOptions extends WriteOptions {
  /** Absolute path of a folder on the same file system for the new file until it is whole; beside the target where absent. */
  readonly stage?: string;
}

/** Makes or replaces a file whole, durably unless told otherwise, with the folders above it; a link in its place is replaced. */
export function writeBelow(
  root: string,
  path: string,
  content: string | Uint8Array,
  { stage, ...options }: WriteBelowOptions = {},
): void {
  const durable = options.durable !== false;
  inParent(root, { path, make: durable ? 'durably' : 'quickly' }, (folder, name) => {
    const unique = `.devloop-${randomBytes(6).toString('hex')}.tmp`;
    const temporary = stage === undefined ? folder.at(unique) : `${stage}/${unique}`;
    try {
      writeNew(temporary, content, options);
      renameSync(temporary, folder.at(name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    if (durable) fsyncSync(folder.fd);
  });
}

/** Appends durably to a file that has no other name, and makes it, with the folders above it, where it is absent. */
export function appendBelow(root: string, path: string, content: string | Uint8Array): void {
  inParent(root, { path, make: 'durably' }, (folder, name) => {
    const fd = openFile(folder, { name, flags: O_WRONLY | O_APPEND | O_CREAT, path });
    try {
      if (fstatSync(fd).nlink !== 1) throw new IoError('path_refused', `${path} has more than one name`, { path });
      writeFully(fd, typeof content === 'string' ? Buffer.from(content) : content);
      fsyncSync(fd);
      fsyncSync(folder.fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** How folders on the way that are absent are made. */
type Making = 'durably' | 'quickly';

class OpenFolder {
  readonly fd: number;
  readonly #base: string;

  constructor(fd: number, path: string) {
    this.fd = fd;
    this.#base = BY_DESCRIPTOR ? `/proc/self/fd/${fd}` : path;
  }

  /** The path by which the system reaches an entry of exactly this folder. */
  at(name: string): Buffer {
    return Buffer.from(`${this.#base}/${name}`, BY_DESCRIPTOR ? 'latin1' : 'utf8');
  }

  /** Opens the folder below and closes this one. */
  enter(name: string, make: Making | undefined): OpenFolder {
    try {
      if (make !== undefined) this.#makeFolder(name, make);
      return new OpenFolder(openSync(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW), `${this.#base}/${name}`);
    } finally {
      closeSync(this.fd);
    }
  }

  #makeFolder(name: string, make: Making): void {
    try {
      mkdirSync(this.at(name));
      if (make === 'durably') fsyncSync(this.fd);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

function inParent<Result>(
  root: string,
  { path, make }: { readonly path: string; readonly make?: Making },
  use: (folder: OpenFolder, name: string) => Result,
): Result {
  const segments = parseSegments(path);
  const name = segments.pop() ?? '';
  return refusingLinks(path, () => {
    let folder = new OpenFolder(openSync(root, O_RDONLY | O_DIRECTORY), root);
    for (const segment of segments) folder = folder.enter(segment, make);
    try {
      return use(folder, name);
    } finally {
      closeSync(folder.fd);
    }
  });
}

function parseSegments(path: string): string[] {
  const segments = path.split('/');
  const bad = (name: string): boolean => name === '' || name === '.' || name === '..' || name.includes('\0');
  if (segments.some(bad)) throw new IoError('path_refused', `${JSON.stringify(path)} is no relative path`, { path });
  return segments;
}

function refusingLinks<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!hasCode(error, 'ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO')) throw error;
    throw new IoError('path_refused', `${path} leads through a link, or is no file`, { path, cause: error.code });
  }
}

/** A pipe must not hang the open. */
function openFile(
  folder: OpenFolder,
  { name, flags, path }: { readonly name: string; readonly flags: number; readonly path: string },
): number {
  const fd = openSync(folder.at(name), flags | O_NOFOLLOW | O_NONBLOCK, 0o666);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new IoError('path_refused', `${path} is no file`, { path });
}

function readLimited(fd: number, { path, limit }: { readonly path: string; readonly limit: number }): Buffer {
  const size = fstatSync(fd).size;
  if (size > limit) throw new IoError('too_large', `${path} has more than ${limit} bytes`, { path, size, limit });
  const buffer = Buffer.alloc(size);
  let done = 0;
  for (let count = -1; count !== 0 && done < size; done += count) count = readSync(fd, buffer, done, size - done, done);
  return buffer.subarray(0, done);
}
