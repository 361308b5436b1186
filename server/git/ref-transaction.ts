import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { allEnded } from '../io/all-ended.ts';
import { type SyncNames, syncFolderSoon } from '../io/sync-soon.ts';
import { takeLock } from './lock-file.ts';
import { packedRefsWithout, readPackedRefs } from './packed-refs.ts';
import type { PendingFile } from './pending-file.ts';
import { makeRefFolders, pruneRefFolders } from './ref-folders.ts';
import { expectRef } from './refs.ts';

/** One ref's move; `ZERO_OID` stands for absent. Names are full and parsed. */
export interface RefUpdate {
  readonly ref: string;
  readonly old: Oid;
  readonly new: Oid;
}

export interface RefTransaction {
  readonly gitDir: string;
  readonly updates: readonly RefUpdate[];
  /** How long another git's lock is waited for; ms, 2,000 where absent. */
  readonly wait_ms?: number;
}

/** Refs that are locked, checked and written beside, but not moved. */
export interface PreparedRefs {
  /** Makes the bytes of their new values durable. Once, before `commit` or after it. */
  sync(): Promise<void>;
  /** Moves them at once, branches last, and throws where it cannot; durable when the names are synced. */
  commit(): SyncNames;
  /** Lets them be; after `commit` this does nothing. */
  abort(): void;
}

/**
 * Moves refs from their expected old values, durably. Files move one by one: a caller that moves several keeps a record
 * of them first, to go on after a kill. Throws `ref_moved` (nothing has moved), `vault_busy` (another git holds a lock).
 */
export async function updateRefs(transaction: RefTransaction): Promise<void> {
  const prepared = await prepareRefs(transaction);
  try {
    await prepared.sync();
    await prepared.commit()();
  } finally {
    prepared.abort();
  }
}

/** Locks refs as git does, checks their old values and writes the new ones beside them. Throws as `updateRefs`. */
export async function prepareRefs({ gitDir, updates, wait_ms = 2000 }: RefTransaction): Promise<PreparedRefs> {
  const refs = new LockedRefs(gitDir, Date.now() + wait_ms);
  try {
    for (const update of updates.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))) await refs.lock(update);
    await refs.write();
    return refs;
  } catch (error) {
    refs.abort();
    throw error;
  }
}

const isBranch = ({ ref }: RefUpdate): boolean => ref.startsWith('refs/heads/');
const isDeletion = (update: RefUpdate): boolean => update.new === ZERO_OID;

class LockedRefs implements PreparedRefs {
  readonly #gitDir: string;
  readonly #deadline: number;
  readonly #locked: { readonly update: RefUpdate; readonly file: PendingFile }[] = [];
  /** Folders whose names have changed or will. */
  readonly #folders = new Set<string>();
  #packed: PendingFile | undefined;

  constructor(gitDir: string, deadline: number) {
    this.#gitDir = gitDir;
    this.#deadline = deadline;
  }

  async lock(update: RefUpdate): Promise<void> {
    for (const folder of makeRefFolders(this.#gitDir, update.ref)) this.#folders.add(folder);
    const file = await takeLock(join(this.#gitDir, `${update.ref}.lock`), this.#deadline);
    this.#locked.push({ update, file });
    expectRef(this.#gitDir, update.ref, update.old);
  }

  async write(): Promise<void> {
    const deleted = this.#locked.filter(({ update }) => isDeletion(update)).map(({ update }) => update.ref);
    if (deleted.length > 0) await this.#unpack(deleted);
    const files = this.#locked.filter(({ update }) => !isDeletion(update));
    for (const { update, file } of files) file.write(Buffer.from(`${update.new}\n`));
  }

  async sync(): Promise<void> {
    const files = this.#locked.filter(({ update }) => !isDeletion(update));
    await allEnded([this.#packed?.sync(), ...files.map(({ file }) => file.sync())]);
  }

  /** Writes packed-refs without these; it is read under its lock, so that nobody packs them meanwhile. */
  async #unpack(refs: readonly string[]): Promise<void> {
    this.#packed = await takeLock(join(this.#gitDir, 'packed-refs.lock'), this.#deadline);
    const packed = readPackedRefs(this.#gitDir);
    const gone = new Set(refs.filter((ref) => packed.has(ref)));
    if (gone.size > 0) {
      this.#packed.write(packedRefsWithout(this.#gitDir, gone));
      this.#folders.add(this.#gitDir);
      return;
    }
    this.#packed.drop();
    this.#packed = undefined;
  }

  commit(): SyncNames {
    // A ref that is gone from its own file only would come back with its packed value.
    this.#packed?.publish(join(this.#gitDir, 'packed-refs'));
    const order = [
      ...this.#locked.filter(({ update }) => !isBranch(update)),
      ...this.#locked.filter(({ update }) => isBranch(update)),
    ];
    for (const { update, file } of order) {
      const path = join(this.#gitDir, update.ref);
      if (isDeletion(update)) rmSync(path, { force: true });
      else file.publish(path);
    }
    return () => this.#settle();
  }

  async #settle(): Promise<void> {
    await allEnded([...this.#folders].map(syncFolderSoon));
    this.abort();
    for (const { update } of this.#locked) if (isDeletion(update)) pruneRefFolders(this.#gitDir, update.ref);
  }

  abort(): void {
    this.#packed?.drop();
    for (const { file } of this.#locked) file.drop();
  }
}
