import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../domain/ids.ts';
import { hasCode } from '../io/io-error.ts';
import { pathBelow } from '../io/path-below.ts';
import { readPackedRefs } from './packed-refs.ts';
import { readLooseRef } from './refs.ts';

/** What changed within this time before it was looked at may have changed again unseen; ms. */
const CLOCK_GRAIN_MS = 50;

/** The refs of one folder without folders in it, read anew only where something was changed by a rename, as git changes refs. */
export class RefFolder {
  readonly #gitDir: string;
  readonly #prefix: string;
  readonly #files = new Map<string, { readonly stamp: string; readonly oid: Oid }>();
  #stamp: string | undefined;
  #refs: ReadonlyMap<string, Oid> = new Map();

  /** @param prefix the folder's full name with a slash at its end */
  constructor(gitDir: string, prefix: string) {
    this.#gitDir = gitDir;
    this.#prefix = prefix;
  }

  /** All refs by full name, in the order of their names. Throws `vault_damaged`. */
  list(): ReadonlyMap<string, Oid> {
    const stats = [join(this.#gitDir, this.#prefix), join(this.#gitDir, 'packed-refs')].map(statsOf);
    const stamp = stats.map(stampOf).join(' ');
    if (stamp === this.#stamp) return this.#refs;
    const found = new Map([...readPackedRefs(this.#gitDir)].filter(([ref]) => ref.startsWith(this.#prefix)));
    for (const [ref, oid] of this.#loose()) found.set(ref, oid);
    this.#refs = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    const settled = BigInt(Date.now() - CLOCK_GRAIN_MS) * 1_000_000n;
    this.#stamp = stats.every((one) => (one?.mtimeNs ?? 0n) < settled) ? stamp : undefined;
    return this.#refs;
  }

  *#loose(): Generator<readonly [string, Oid]> {
    const names = new Set(namesIn(pathBelow(this.#gitDir, this.#prefix)).filter((name) => !name.endsWith('.lock')));
    for (const known of this.#files.keys()) if (!names.has(known)) this.#files.delete(known);
    for (const name of names) {
      const ref = `${this.#prefix}${name}`;
      const stamp = stampOf(statsOf(pathBelow(this.#gitDir, ref)));
      const known = this.#files.get(name);
      const oid = known?.stamp === stamp ? known.oid : readLooseRef(this.#gitDir, ref);
      if (oid === undefined) continue;
      this.#files.set(name, { stamp, oid });
      yield [ref, oid];
    }
  }
}

function statsOf(path: string | Buffer): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

const stampOf = (stats: BigIntStats | undefined): string =>
  stats === undefined ? '' : `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.size}`;

function namesIn(folder: Buffer): readonly string[] {
  try {
    return readdirSync(folder, 'latin1');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
