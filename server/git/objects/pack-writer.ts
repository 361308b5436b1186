import { hash } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { allEnded } from '../../io/all-ended.ts';
import { type SyncNames, syncFolderSoon } from '../../io/sync-soon.ts';
import type { PendingFile } from '../pending-file.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { deflateObject, deflateSoon, LARGE_BYTES, type NewObject } from './deflate.ts';
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
  readonly #pack: PendingFile;
  /** Made with the pack, before the disk is at work: that holds up new names. */
  readonly #index: PendingFile;
  readonly #entries: PackEntry[] = [];
  readonly #compressing: Promise<void>[] = [];
  #waiting = 0;
  /** One for all: a buffer an object would outlive many a collection of garbage. */
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES + SUM_BYTES);
  /** The first chunk has room for the header: its count is known only in the end. */
  #buffered = packHeader(0).copy(this.#chunk);
  #flushed = false;
  /** Bytes given to the pack so far. */
  #end = HEADER_BYTES;
  #sealed: { readonly name: string; readonly index: Buffer } | undefined;

  constructor(objectsDir: string) {
    this.#folder = join(objectsDir, 'pack');
    ensureRealFolder(this.#folder);
    this.#pack = openTempFile(this.#folder, 'pack');
    try {
      this.#index = openTempFile(this.#folder, 'index');
    } catch (error) {
      this.#pack.drop();
      throw error;
    }
  }

  /** Takes an object; content of `LARGE_BYTES` and more must not be changed before `prepare` resolves. */
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
    // A failure is met in `prepare`; until then it must not count as unhandled.
    work.catch(() => undefined);
    this.#compressing.push(work);
  }

  /** Completes the pack and its index, on the disk where it is to be durable; neither has its name yet. */
  async prepare(durable: boolean): Promise<void> {
    const sum = await this.#seal();
    const index = encodePackIndex(this.#entries, sum);
    this.#index.write(index);
    await allEnded([this.#pack, this.#index].map(async (file) => (durable ? file.sync() : file.close())));
    this.#sealed = { name: `pack-${sum}`, index };
  }

  /** Gives both their name at once, and throws where it cannot. */
  publish(durable: boolean): { readonly name: string; readonly index: Buffer; readonly syncNames: SyncNames } {
    if (this.#sealed === undefined) throw new Error('a pack that is not complete gets no name');
    const { name } = this.#sealed;
    this.#pack.publish(join(this.#folder, `${name}.pack`));
    // The index comes last: git takes a pack for there only with its index.
    this.#index.publish(join(this.#folder, `${name}.idx`));
    const syncNames = async (): Promise<void> => {
      if (durable) await syncFolderSoon(this.#folder);
    };
    return { ...this.#sealed, syncNames };
  }

  /** Gives it up; after `publish` this does nothing. */
  async drop(): Promise<void> {
    await Promise.allSettled(this.#compressing);
    this.#pack.drop();
    this.#index.drop();
  }

  #append({ oid, kind, content }: NewObject, data: Buffer): void {
    const header = entryHeader(kind, content.length);
    this.#entries.push({ oid, offset: this.#end, crc32: crc32(data, crc32(header)) });
    for (const bytes of [header, data]) this.#put(bytes);
    this.#end += header.length + data.length;
  }

  #put(bytes: Buffer): void {
    if (this.#buffered + bytes.length > CHUNK_BYTES) this.#flush();
    if (bytes.length > CHUNK_BYTES) this.#pack.write(bytes);
    else this.#buffered += bytes.copy(this.#chunk, this.#buffered);
  }

  #flush(): void {
    this.#pack.write(this.#chunk.subarray(0, this.#buffered));
    this.#flushed = true;
    this.#buffered = 0;
  }

  /** Completes the pack with its header and the checksum over all. */
  async #seal(): Promise<string> {
    await Promise.all(this.#compressing);
    const header = packHeader(this.#entries.length);
    if (!this.#flushed) return this.#writeWhole(header);
    this.#flush();
    this.#pack.writeAt(header, 0);
    const sum = await hashFile(this.#pack.fd, this.#end);
    this.#pack.write(Buffer.from(sum, 'hex'));
    return sum;
  }

  #writeWhole(header: Buffer): string {
    header.copy(this.#chunk);
    const sum = hash('sha1', this.#chunk.subarray(0, this.#buffered));
    this.#chunk.write(sum, this.#buffered, 'hex');
    this.#pack.write(this.#chunk.subarray(0, this.#buffered + SUM_BYTES));
    return sum;
  }
}
