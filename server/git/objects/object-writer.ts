import type { Oid } from '../../domain/ids.ts';
import type { SyncNames } from '../../io/sync-soon.ts';
import { ensureRealFolder } from '../real-folder.ts';
import { LARGE_BYTES, type NewObject } from './deflate.ts';
import type { ForeignPacks } from './foreign-packs.ts';
import { type LooseObjects, looseObjects } from './loose-objects.ts';
import type { ObjectFile } from './object-file.ts';
import { hashObject, type ObjectKind } from './object-id.ts';
import type { ObjectStore } from './object-store.ts';
import { PackWriter } from './pack-writer.ts';

/** Puts objects into a store. Nothing is there before `publish`, and after it all is. */
export interface ObjectWriter {
  /** True where the store has the object or this writer has taken it. */
  has(oid: Oid): boolean;
  /** Takes an object, unless the store or this writer has it. Content of `LARGE_BYTES` and more must not be changed afterwards. */
  write(kind: ObjectKind, content: Uint8Array): Oid;
  /** Writes what was taken, to the disk where the writer is a durable one; nothing is there yet. */
  prepare(): Promise<void>;
  /** Makes what was prepared part of the store at once, and throws where it cannot. Once the names are synced a power cut does not take it away any more. */
  publish(): SyncNames;
  /** All of it, one after the other. */
  finish(): Promise<void>;
  /** Gives up what was taken; after `publish` this does nothing. */
  abort(): Promise<void>;
}

/** One that does in steps what `prepare` does in one. */
export interface StepwiseWriter extends ObjectWriter {
  /** Makes files of what was taken. @returns them, unless they are too large to be in memory */
  complete(): Promise<readonly ObjectFile[] | undefined>;
  /** Writes what is complete; nothing is there yet. */
  writeFiles(): void;
  /** Makes the bytes of what is complete durable, where the writer is a durable one; before `publish` or after it. */
  close(): Promise<void>;
}

/** Up to here each object becomes a file of its own; more of them become one pack, so that few files and folders must reach the disk. */
const MOST_LOOSE = 1;
const MOST_HELD_BYTES = 16 * 1024 * 1024;

export interface WriterOptions {
  readonly durable: boolean;
  /** Knows zlib streams of some blobs. */
  readonly packs?: Pick<ForeignPacks, 'deflated'> | undefined;
}

/** Begins to write into a store. One writer is used once. */
export function openObjectWriter(store: ObjectStore, options: WriterOptions): StepwiseWriter {
  ensureRealFolder(store.dir);
  // Packs that a repack took away since must not be counted on.
  store.refresh();
  return new StoreWriter(store, options);
}

class StoreWriter implements StepwiseWriter {
  readonly #store: ObjectStore;
  readonly #durable: boolean;
  readonly #packs: WriterOptions['packs'];
  readonly #taken = new Set<Oid>();
  /** The one that was asked for last, and is not there. */
  #absent: Oid | undefined;
  #held: NewObject[] = [];
  #heldBytes = 0;
  #pack: PackWriter | undefined;
  #loose: LooseObjects | undefined;
  #prepared = false;

  constructor(store: ObjectStore, { durable, packs }: WriterOptions) {
    this.#store = store;
    this.#packs = packs;
    this.#durable = durable;
  }

  has(oid: Oid): boolean {
    if (oid === this.#absent) return false;
    const there = this.#taken.has(oid) || this.#store.has(oid);
    if (!there) this.#absent = oid;
    return there;
  }

  write(kind: ObjectKind, content: Uint8Array): Oid {
    const oid = hashObject(kind, content);
    if (this.has(oid)) return oid;
    this.#absent = undefined;
    this.#taken.add(oid);
    const deflated = kind === 'blob' ? this.#packs?.deflated(oid, content) : undefined;
    this.#take({ oid, kind, content, deflated });
    return oid;
  }

  async complete(): Promise<readonly ObjectFile[] | undefined> {
    if (this.#pack !== undefined) return this.#pack.complete();
    this.#loose = await looseObjects(this.#store.dir, { objects: this.#held, durable: this.#durable });
    return this.#loose.files;
  }

  writeFiles(): void {
    this.#pack?.write();
    this.#loose?.write();
  }

  async close(): Promise<void> {
    await this.#pack?.close(this.#durable);
    await this.#loose?.close();
  }

  async prepare(): Promise<void> {
    this.#prepared = true;
    await this.complete();
    this.writeFiles();
    await this.close();
  }

  publish(): SyncNames {
    if (this.#pack === undefined) return this.#loose?.publish() ?? (async () => {});
    const { name, index, syncNames } = this.#pack.publish(this.#durable);
    this.#store.addPack(name, index);
    return syncNames;
  }

  async finish(): Promise<void> {
    if (!this.#prepared) await this.prepare();
    await this.publish()();
  }

  async abort(): Promise<void> {
    this.#held = [];
    this.#loose?.drop();
    await this.#pack?.drop();
  }

  #take(object: NewObject): void {
    if (this.#pack !== undefined) {
      this.#pack.add(object);
      return;
    }
    this.#held.push(isLarge(object) ? object : { ...object, content: Buffer.from(object.content) });
    this.#heldBytes += object.content.length;
    if (this.#held.length <= MOST_LOOSE && this.#heldBytes <= MOST_HELD_BYTES) return;
    this.#pack = new PackWriter(this.#store.dir);
    for (const held of this.#held) this.#pack.add(held);
    this.#held = [];
  }
}

const isLarge = ({ content }: NewObject): boolean => content.length >= LARGE_BYTES;
