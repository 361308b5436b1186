import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { IoError } from '../../io/io-error.ts';
import { readBelow } from '../../io/safe-path.ts';
import { packEndsWith } from './pack-ends.ts';
import { PackIndex } from './pack-index.ts';

/** The objects of a repository, as far as their being there goes. */
export interface ObjectStore {
  /** Absolute path of the folder `objects`. */
  readonly dir: string;
  /** True where the object is there, loose or packed; its content is not looked at. An empty loose file counts as absent. */
  has(oid: Oid): boolean;
  /** Where the object is, as far as is known: a pack with the offset in it, or the file of its own that it would have. */
  find(oid: Oid): { readonly path: string; readonly offset?: number };
  /** Looks at the pack folder again, where it was changed since; `has` does so the first time only. */
  refresh(): void;
  /** Takes note of a pack that was just written. */
  addPack(name: string, index: Buffer): void;
}

/** Opens a repository's objects; the pack indexes are read when they are first needed, and kept. */
export function openObjectStore(dir: string): ObjectStore {
  return new FolderStore(dir);
}

const MOST_INDEX_BYTES = 2 ** 31 - 1;
/** Objects of a pack up to which its ids are kept one by one. */
const MOST_SMALL = 1000;
/** A folder that was changed within this time before it was looked at may have been changed again unseen; ms. */
const CLOCK_GRAIN_MS = 50;

class FolderStore implements ObjectStore {
  readonly dir: string;
  #packs = new Map<string, PackIndex>();
  /** What the small packs hold, of which there is one a commit until a repack, each with the name of its pack's index. */
  #small = new Map<Oid, string>();
  #large: ReadonlyMap<string, PackIndex> = new Map();
  /** What the pack folder held, but for what could not be read. */
  #names = new Set<string>();
  #loaded = false;
  /** The pack folder's time when it was last read; undefined: the next refresh reads it in any case. */
  #seen: bigint | undefined;

  constructor(dir: string) {
    this.dir = dir;
  }

  has(oid: Oid): boolean {
    if (!this.#loaded) this.refresh();
    if (this.#small.has(oid)) return true;
    const key = Buffer.from(oid, 'hex');
    for (const index of this.#large.values()) if (index.has(key)) return true;
    return (statSync(this.#loosePath(oid), { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  find(oid: Oid): { readonly path: string; readonly offset?: number } {
    if (!this.#loaded) this.refresh();
    const key = Buffer.from(oid, 'hex');
    const small = this.#small.get(oid);
    for (const name of small === undefined ? this.#large.keys() : [small]) {
      const offset = this.#packs.get(name)?.offsetOf(key);
      if (offset !== undefined) return { path: `${this.dir}/pack/${name.slice(0, -'.idx'.length)}.pack`, offset };
    }
    return { path: this.#loosePath(oid) };
  }

  refresh(): void {
    const folder = join(this.dir, 'pack');
    const changed = statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
    this.#loaded = true;
    if (changed === this.#seen) return;
    const names = changed === 0n ? [] : readdirSync(folder);
    if (names.length !== this.#names.size || !names.every((name) => this.#names.has(name))) this.#load(folder, names);
    const settled = BigInt(Date.now() - CLOCK_GRAIN_MS) * 1_000_000n;
    this.#seen = changed < settled ? changed : undefined;
  }

  #load(folder: string, found: readonly string[]): void {
    const names = new Set(found);
    const packs = new Map<string, PackIndex>();
    for (const name of found) {
      if (!name.endsWith('.idx') || !names.has(`${name.slice(0, -'.idx'.length)}.pack`)) continue;
      const index = this.#packs.get(name) ?? readIndex(folder, name);
      if (index !== undefined) packs.set(name, index);
      // What is damaged is looked at again: it may be put right without a change of names.
      else names.delete(name);
    }
    const gone = [...this.#packs.keys()].some((name) => !packs.has(name));
    if (gone) this.#small = new Map();
    for (const [name, index] of packs) if (gone || !this.#packs.has(name)) this.#note(name, index);
    this.#packs = packs;
    this.#large = new Map([...packs].filter(([, { count }]) => count > MOST_SMALL));
    this.#names = names;
  }

  addPack(name: string, index: Buffer): void {
    const pack = new PackIndex(index, name);
    const file = `${name}.idx`;
    this.#packs.set(file, pack);
    for (const ending of ['.pack', '.idx']) this.#names.add(`${name}${ending}`);
    this.#note(file, pack);
    if (pack.count > MOST_SMALL) this.#large = new Map([...this.#large, [file, pack]]);
  }

  #note(name: string, pack: PackIndex): void {
    if (pack.count <= MOST_SMALL) for (const oid of pack.ids()) this.#small.set(oid, name);
  }

  #loosePath(oid: Oid): string {
    return `${this.dir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }
}

/**
 * Reads an index; undefined where there is none, be it that a repack by somebody else took it away, be it that what has its
 * name is no index, or the pack beside it not the one that it is of. What it would have held counts as absent, and is
 * written again when it is needed.
 */
function readIndex(folder: string, name: string): PackIndex | undefined {
  try {
    const bytes = readBelow(folder, name, MOST_INDEX_BYTES);
    const index = bytes && new PackIndex(bytes, name);
    return index && packEndsWith(join(folder, `${name.slice(0, -'.idx'.length)}.pack`), index.packSum)
      ? index
      : undefined;
  } catch (error) {
    if (error instanceof IoError || isDevLoopError(error, 'store_damaged')) return undefined;
    throw error;
  }
}
