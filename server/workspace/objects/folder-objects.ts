import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../../io/io-error.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { syncFolder, writeFully } from '../../io/write-atomic.ts';
import { checkedContent } from './checked-content.ts';
import type { LargeFile, LargeObjects, ListedObject } from './large-objects.ts';

/** Contents of large files in a folder of the store: each is a file that is written once. */
export class FolderObjects implements LargeObjects {
  readonly #folder: string;

  /** @param folder absolute path */
  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2), sha256);
  }

  /** True where a content of this size is there. */
  has({ sha256, size }: LargeFile): boolean {
    return lstatSync(this.pathOf(sha256), { throwIfNoEntry: false })?.size === size;
  }

  async sizeOf(sha256: string): Promise<number | undefined> {
    return lstatSync(this.pathOf(sha256), { throwIfNoEntry: false })?.size;
  }

  read(file: LargeFile): AsyncIterable<Uint8Array> {
    return checkedContent(file, createReadStream(this.pathOf(file.sha256)));
  }

  async *list(): AsyncGenerator<ListedObject> {
    for (const sha256 of this.#names()) {
      const stats = lstatSync(this.pathOf(sha256), { throwIfNoEntry: false });
      if (stats !== undefined) yield { sha256, size: stats.size, age_ms: Date.now() - stats.mtimeMs };
    }
  }

  /** Copies an open file, in steps, durably; shares the disk's blocks where the file system can. @returns the content's sha256 */
  *take({ fd, size }: { readonly fd: number; readonly size: number }): Generator<undefined, string> {
    const temporary = this.#temporary();
    try {
      const sha256 = yield* copyHashed(fd, size, temporary);
      this.#place(temporary, sha256);
      return sha256;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  async put(file: LargeFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (!this.has(file)) await this.add(checkedContent(file, content));
  }

  /** Keeps a content whose name comes out when it ends. */
  async add(content: AsyncIterable<Uint8Array>): Promise<LargeFile> {
    const temporary = this.#temporary();
    try {
      const file = await writeHashed(content, temporary);
      this.#place(temporary, file.sha256);
      return file;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  async remove(sha256: string): Promise<void> {
    rmSync(this.pathOf(sha256), { force: true });
  }

  /** All of them: who sweeps has the lock, so that no write is under way. */
  async sweep(): Promise<void> {
    for (const name of listFolder(this.#folder))
      if (name.endsWith('.tmp')) rmSync(join(this.#folder, name), { force: true });
  }

  #names(): readonly string[] {
    return listFolder(this.#folder)
      .flatMap((prefix) => listFolder(join(this.#folder, prefix)))
      .filter((name) => SHA256.test(name));
  }

  #temporary(): string {
    makeFolders(this.#folder, { mode: 0o700 });
    return join(this.#folder, `${process.pid}-${++taken}.tmp`);
  }

  /** What lies there under the name with another size is no content of that name: it is replaced. */
  #place(temporary: string, sha256: string): void {
    const path = this.pathOf(sha256);
    if (lstatSync(path, { throwIfNoEntry: false })?.size === lstatSync(temporary).size) return;
    makeFolders(dirname(path), { mode: 0o700 });
    renameSync(temporary, path);
    syncFolder(dirname(path));
    syncFolder(this.#folder);
  }
}

const SHA256 = /^[0-9a-f]{64}$/;
const CHUNK = 1 << 20;
let taken = 0;

/** Hashes an open file in steps. */
export function* hashOpenFile(
  fd: number,
  size: number,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Generator<undefined, string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; at < size; ) {
    const count = readSync(fd, buffer, 0, Math.min(CHUNK, size - at), at);
    if (count === 0) break;
    const chunk = buffer.subarray(0, count);
    hash.update(chunk);
    onChunk(chunk);
    at += count;
    yield;
  }
  return hash.digest('hex');
}

function* copyHashed(fd: number, size: number, path: string): Generator<undefined, string> {
  const shared = shareBlocks(fd, path);
  const out = openSync(path, shared ? 'r+' : 'wx+', 0o600);
  try {
    const sha256 = shared
      ? yield* hashOpenFile(out, size)
      : yield* hashOpenFile(fd, size, (chunk) => writeFully(out, chunk));
    fsyncSync(out);
    return sha256;
  } finally {
    closeSync(out);
  }
}

async function writeHashed(content: AsyncIterable<Uint8Array>, path: string): Promise<LargeFile> {
  const hash = createHash('sha256');
  const out = openSync(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.length;
      writeFully(out, chunk);
    }
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
  return { sha256: hash.digest('hex'), size };
}

function shareBlocks(fd: number, path: string): boolean {
  try {
    copyFileSync(`/proc/self/fd/${fd}`, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    if (!hasCode(error, 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS', 'ENOENT', 'EPERM')) throw error;
    rmSync(path, { force: true });
    return false;
  }
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
