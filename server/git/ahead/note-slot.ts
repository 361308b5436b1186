import { closeSync, constants, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IoError } from '../../io/io-error.ts';
import { openBelow, readBelow } from '../../io/safe-path.ts';
import { syncDataSoon, writeAtomicSoon } from '../../io/sync-soon.ts';
import { writeFullyAt } from '../../io/write-atomic.ts';
import { type AheadNote, beginsNote, decodeNote, NO_NOTE } from './ahead-note.ts';

/** Room for a note; bytes. */
export const SLOT_BYTES = 256 * 1024;

/** A note that is on the disk. One of the three is called, once. */
export interface KeptNote {
  /** Begins to bring to the disk what was noted, after which the note is forgotten; where that fails it is left. */
  settle(work: () => Promise<void>): void;
  /** Leaves it to be redone. */
  leave(): void;
  /** Forgets it for good: it shall not come to pass, or has. */
  revoke(): Promise<void>;
}

/**
 * A file that notes are written into, one over the other. It has its length and its blocks beforehand, so that nothing but a
 * note's bytes must reach the disk.
 */
export class NoteSlot {
  readonly path: string;
  /** Whose note is in it, or is about to be; undefined while it is free. */
  owner: string | undefined;
  /** The note that has to be redone. */
  left: AheadNote | undefined;
  /** Ends when what was noted is on the disk, or the note is left. */
  settling: Promise<void> | undefined;
  /** While a note is under way in it, so that it can be forgotten whatever becomes of the name, and of other descriptors. */
  #fd: number | undefined;

  /** @param path absolute */
  constructor(path: string) {
    this.path = path;
  }

  /** Makes the file whole or not at all, in a folder that must be there; a file in its place is replaced. */
  async make(): Promise<void> {
    await writeAtomicSoon(this.path, Buffer.alloc(SLOT_BYTES), { mode: 0o600 });
  }

  /** Finds what an earlier process has left in it. Throws IoError where that is no file of ours. */
  read(): void {
    const bytes = readBelow(dirname(this.path), basename(this.path), SLOT_BYTES);
    this.left = bytes && this.#decode(bytes);
    this.owner = this.left?.owner;
  }

  /** Writes a note, durable when it resolves; where that fails there is none, and the file is free. */
  async keep(note: AheadNote, bytes: Uint8Array): Promise<KeptNote> {
    try {
      await this.#write(bytes);
    } catch (error) {
      // All of it may be on the disk, though the disk did not say so.
      await Promise.allSettled([this.erase()]);
      throw error;
    }
    return {
      settle: (work) => {
        this.settling = this.#settle(note, work);
      },
      leave: () => this.#leave(note),
      revoke: () => this.erase(),
    };
  }

  /** Forgets what is in it for good: no power cut brings it back. The file is free also where that fails: the next note is written over it. */
  async erase(): Promise<void> {
    try {
      await this.#write(NO_NOTE);
    } finally {
      this.#free();
    }
  }

  /** Makes it free. After a power cut the note may be there again, to be redone once more. */
  forget(): void {
    writeFullyAt(this.#open(), NO_NOTE, 0);
    this.#free();
  }

  async #settle(note: AheadNote, work: () => Promise<void>): Promise<void> {
    try {
      // Who waits for the note goes first.
      await nextTurn();
      await work();
      this.forget();
    } catch {
      // It is met again by who redoes the note.
      this.#leave(note);
    } finally {
      this.settling = undefined;
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const fd = this.#open();
    writeFullyAt(fd, bytes, 0);
    await syncDataSoon(fd);
  }

  #open(): number {
    this.#fd ??= openSlot(this.path);
    return this.#fd;
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #leave(note: AheadNote): void {
    this.#close();
    this.left = note;
  }

  #free(): void {
    this.#close();
    this.owner = undefined;
    this.left = undefined;
  }

  #decode(bytes: Buffer): AheadNote | undefined {
    try {
      return decodeNote(bytes);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new IoError('log_damaged', `it holds a note that this version cannot read: ${why}`, { path: this.path });
    }
  }
}

/** True where a file has what begins a note, whole or not; false where there is no file. */
export function mayHoldNote(path: string): boolean {
  const fd = openBelow(dirname(path), basename(path));
  if (fd === undefined) return false;
  try {
    const head = Buffer.alloc(NO_NOTE.length);
    return readSync(fd, head, 0, head.length, 0) === head.length && beginsNote(head);
  } finally {
    closeSync(fd);
  }
}

function openSlot(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}
