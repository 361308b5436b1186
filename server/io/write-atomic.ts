import { randomBytes } from 'node:crypto';
import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface WriteOptions {
  /** Permission bits, whatever the umask is; 0o666 less the umask where absent. */
  readonly mode?: number;
  /** False for a copy of what is kept elsewhere: whole after a kill, but it may be gone after a power cut. */
  readonly durable?: boolean;
}

/**
 * Replaces a file whole and durably: a reader, a kill or a power cut meets the old content or the new, never a part.
 * A link at the path is replaced, not followed. The folder must exist, and links in the way to it are followed: use
 * `writeBelow` where somebody else can write.
 */
export function writeAtomic(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNew(temporary, content, options);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (options.durable !== false) syncFolder(dirname(path));
}

/** Makes a new file, durably unless told otherwise, and fails with EEXIST where there is one already; its folder is not synced. */
export function writeNew(path: string | Buffer, content: string | Uint8Array, options: WriteOptions = {}): void {
  const fd = openNew(path, content, options);
  try {
    if (options.durable !== false) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a new file that is not on the disk yet, and leaves it open. @returns its descriptor */
export function openNew(
  path: string | Buffer,
  content: string | Uint8Array,
  { mode }: Pick<WriteOptions, 'mode'>,
): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o666);
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    writeFully(fd, typeof content === 'string' ? Buffer.from(content) : content);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string | Buffer): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes all bytes at the descriptor's position, however many calls the system needs for them. */
export function writeFully(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
}

/** Writes over what is there; the descriptor's own position stays. */
export function writeFullyAt(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
