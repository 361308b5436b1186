import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../../domain/ids.ts';
import { hasCode } from '../../io/io-error.ts';
import { PackIndex } from './pack-index.ts';

/** The objects of a repository, as far as their being there goes. */
export interface ObjectStore {
  /** Absolute path of the folder `objects`. */
  readonly dir: string;
  /** True where the object is there, loose or packed; its content is not looked at. An empty loose file counts as absent. */
  has(oid: Oid): boolean;
  /** Looks at the pack folder again, where it was changed since; `has` does so the first time only. */
  refresh(): void;
  /** Takes note of a pack that was just written. */
  addPack(name: string, index: Buffer): void;
}

/** Opens a repository's objects; the pack indexes are read when they are first needed, and kept. */
export function openObjectStore(dir: string): ObjectStore {
  return new FolderStore(dir);
}

/** A folder that was changed within this time before it was looked at may have been changed again unseen; ms. */
const CLOCK_GRAIN_MS = 50;

class FolderStore implements ObjectStore {
  readonly dir: string;
  #packs = new Map<string, PackIndex>();
  #loaded = false;
  /** The pack folder's time when it was last read; undefined: the next refresh reads it in any case. */
  #seen: bigint | undefined;

  constructor(dir: string) {
    this.dir = dir;
  }

  has(oid: Oid): boolean {
    if (!this.#loaded) this.refresh();
    const key = Buffer.from(oid, 'hex');
    for (const index of this.#packs.values()) if (index.has(key)) return true;
    return (statSync(this.#loosePath(oid), { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  refresh(): void {
    const folder = join(this.dir, 'pack');
    const changed = statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
    this.#loaded = true;
    if (changed === this.#seen) return;
    const names = new Set(changed === 0n ? [] : readdirSync(folder));
    const packs = new Map<string, PackIndex>();
    for (const name of names) {
      if (!name.endsWith('.idx') || !names.has(`${name.slice(0, -'.idx'.length)}.pack`)) continue;
      const index = this.#packs.get(name) ?? readIndex(folder, name);
      if (index !== undefined) packs.set(name, index);
    }
    this.#packs = packs;
    const settled = BigInt(Date.now() - CLOCK_GRAIN_MS) * 1_000_000n;
    this.#seen = changed < settled ? changed : undefined;
  }

  addPack(name: string, index: Buffer): void {
    this.#packs.set(`${name}.idx`, new PackIndex(index, name));
  }

  #loosePath(oid: Oid): string {
    return join(this.dir, oid.slice(0, 2), oid.slice(2));
  }
}

/** A repack by somebody else may take the file away between listing and reading: its objects are in another pack by then. */
function readIndex(folder: string, name: string): PackIndex | undefined {
  try {
    return new PackIndex(readFileSync(join(folder, name)), name);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
