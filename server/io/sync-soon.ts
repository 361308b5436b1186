import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const fsyncFile = promisify(fsync);

/** Makes a file's bytes durable off the main thread and closes it, also when that fails. Several at once share the disk's work. */
export async function syncAndClose(fd: number): Promise<void> {
  try {
    await fsyncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder durable off the main thread. A link in place of the folder is refused with ENOTDIR. */
export async function syncFolderSoon(path: string): Promise<void> {
  await syncAndClose(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
}
