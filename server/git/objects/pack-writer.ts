import { hash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { allEnded } from '../../io/all-ended.ts';
import { type SyncNames, syncFolderSoon } from '../../io/sync-soon.ts';
import type { PendingFile } from '../pending-file.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { deflateObject, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
import type { ObjectFile } from './object-file.ts';
import { entryHeader, HEADER_BYTES, hashFile, packHeader } from './pack-format.ts';
import { encodePackIndex, type PackEntry } from './pack-index.ts';
import { openTempFile } from './temp-files.ts';

/** What is gathered for one write. */
const CHUNK_BYTES = 256 * 1024;
const SUM_BYTES = 20;
/** Content that may wait to be compressed at a time; beyond it the caller waits. */
const WAITING_BYTES = 64 * CHUNK_BYTES;

/** Writes one pack, object by object as they come, in bounded memory. Nothing has its name before `publish`. */
export class PackWriter {
  readonly #folder: string;
  /** Absent until there is something to be written. */
  #pack: PendingFile | undefined;
  #index: PendingFile | undefined;
  readonly #entries: PackEntry[] = [];
  readonly #compressing: Promise<void>[] = [];
  #waiting = 0;
  /** One for all: a buffer an object would outlive many a collection of garbage. */
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES + SUM_BYTES);
  /** The first chunk has room for the header: its count is known only in the end. */
  #buffered = packHeader(0).copy(this.#chunk);
  /** Bytes given to the pack so far. */
  #end = HEADER_BYTES;
  #sealed: { readonly name: string; readonly index: Buffer } | undefined;

  constructor(objectsDir: string) {
    this.#folder = join(objectsDir, 'pack');
    ensureRealFolder(this.#folder);
  }

  /** Takes an object; content of `LARGE_BYTES` and more must not be changed before `complete` resolves. */
  add(object: NewObject): void {
    const bytes = object.content.length;
    if (object.deflated !== undefined || bytes < LARGE_BYTES || this.#waiting + bytes > WAITING_BYTES) {
      this.#append(object, deflateObject(object));
      return;
    }
    this.#waiting += bytes;
    const work = deflateSoon(object.content).then((data) => {
      this.#waiting -= bytes;
      this.#append(object, data);
    });
    // A failure is met in `complete`; until then it must not count as unhandled.
    work.catch(() => undefined);
    this.#compressing.push(work);
  }

  /** Completes the pack and its index. @returns both, unless the pack is too large to be still in memory */
  async complete(): Promise<readonly ObjectFile[] | undefined> {
    const sum = await this.#seal();
    const [name, index] = [`pack-${sum}`, encodePackIndex(this.#entries, sum)];
    this.#sealed = { name, index };
    if (this.#pack !== undefined) return undefined;
    return [
      { path: `pack/${name}.pack`, bytes: this.#chunk.subarray(0, this.#buffered) },
      { path: `pack/${name}.idx`, bytes: index },
    ];
  }

  /** Writes what is complete and not written yet; nothing has its name yet. */
  write(): void {
    const { index } = this.#complete;
    if (this.#buffered > 0) this.#flush();
    this.#index = openTempFile(this.#folder, 'index');
    this.#index.write(index);
  }

  /** Closes both, with their bytes on the disk where they are to be durable. */
  async close(durable: boolean): Promise<void> {
    await allEnded([this.#pack, this.#index].map(async (file) => (durable ? file?.sync() : file?.close())));
  }

  /** Gives both their name at once, and throws where it cannot. */
  publish(durable: boolean): { readonly name: string; readonly index: Buffer; readonly syncNames: SyncNames } {
    const { name } = this.#complete;
    this.#pack?.publish(join(this.#folder, `${name}.pack`));
    // The index comes last: git takes a pack for there only with its index.
    this.#index?.publish(join(this.#folder, `${name}.idx`));
    const syncNames = async (): Promise<void> => {
      if (durable) await syncFolderSoon(this.#folder);
    };
    return { ...this.#complete, syncNames };
  }

  /** Gives it up; after `publish` this does nothing. */
  async drop(): Promise<void> {
    await Promise.allSettled(this.#compressing);
    this.#pack?.drop();
    this.#index?.drop();
  }

  get #complete(): { readonly name: string; readonly index: Buffer } {
    if (this.#sealed === undefined) throw new Error('a pack that is not complete is neither written nor named');
    return this.#sealed;
  }

  #append({ oid, kind, content }: NewObject, data: Buffer): void {
    const header = entryHeader(kind, content.length);
    this.#entries.push({ oid, offset: this.#end, crc32: crc32(data, crc32(header)) });
    for (const bytes of [header, data]) this.#put(bytes);
    this.#end += header.length + data.length;
  }

  #put(bytes: Buffer): void {
    if (this.#buffered + bytes.length > CHUNK_BYTES) this.#flush();
    if (bytes.length > CHUNK_BYTES) this.#file.write(bytes);
    else this.#buffered += bytes.copy(this.#chunk, this.#buffered);
  }

  #flush(): void {
    this.#file.write(this.#chunk.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  get #file(): PendingFile {
    this.#pack ??= openTempFile(this.#folder, 'pack');
    return this.#pack;
  }

  /** Completes the pack with its header and the checksum over all. */
  async #seal(): Promise<string> {
    await Promise.all(this.#compressing);
    const header = packHeader(this.#entries.length);
    if (this.#pack === undefined) return this.#sealInMemory(header);
    this.#flush();
    this.#pack.writeAt(header, 0);
    const sum = await hashFile(this.#pack.fd, this.#end);
    this.#pack.write(Buffer.from(sum, 'hex'));
    return sum;
  }

  #sealInMemory(header: Buffer): string {
    header.copy(this.#chunk);
    const sum = hash('sha1', this.#chunk.subarray(0, this.#buffered));
    this.#buffered += this.#chunk.write(sum, this.#buffered, 'hex');
    return sum;
  }
}
