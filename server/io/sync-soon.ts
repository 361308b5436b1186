import { randomBytes } from 'node:crypto';
import { closeSync, constants, fdatasync, fsync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { openNew } from './write-atomic.ts';

const fsyncFile = promisify(fsync);

/** Makes the bytes of a file that keeps its length durable off the main thread. */
export const syncDataSoon: (fd: number) => Promise<void> = promisify(fdatasync);

/**
 * Makes names durable that were given just before. Apart from giving them, since a disk at work holds up new names: who
 * gives several gives all of them first.
 */
export type SyncNames = () => Promise<void>;

/** Makes a file's bytes durable off the main thread and closes it, also when that fails. Several at once share the disk's work. */
export async function syncAndClose(fd: number): Promise<void> {
  try {
    await fsyncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes what a descriptor stands for durable off the main thread. */
export const syncSoon = (fd: number): Promise<void> => fsyncFile(fd);

/** Makes the names in a folder durable off the main thread. A link in place of the folder is refused with ENOTDIR. */
export async function syncFolderSoon(path: string): Promise<void> {
  await syncAndClose(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
}

/** Makes a new file, durably but for its name. Fails with EEXIST where there is one already. */
export async function writeNewSoon(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  await syncAndClose(openNew(path, content, options));
}

/** `writeAtomic` that waits for the disk off the main thread. */
export async function writeAtomicSoon(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeNewSoon(temporary, content, options);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolderSoon(dirname(path));
}
