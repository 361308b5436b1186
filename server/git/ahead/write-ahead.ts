import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../../domain/errors.ts';
import { hasCode, IoError } from '../../io/io-error.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { type AheadNote, encodeNote } from './ahead-note.ts';
import { type KeptNote, NoteSlot, SLOT_BYTES } from './note-slot.ts';

/** The notes of one owner, who makes one at a time. */
export interface OwnNotes {
  /** What has to be redone before anything else is done. */
  readonly left: AheadNote | undefined;
  /** Ends when what was noted is on the disk, or the note is left; undefined where nothing is on its way. */
  readonly settling: Promise<void> | undefined;
  /** Makes a note durable. Undefined where there is no room for it. */
  keep(note: Omit<AheadNote, 'owner'>): Promise<KeptNote | undefined>;
  /** Forgets what was left: it was redone, or never must be. */
  forgetLeft(): void;
}

/** Notes that may be under way at a time, of all owners. */
const NAMES = ['0.bin', '1.bin', '2.bin', '3.bin', '4.bin', '5.bin', '6.bin', '7.bin'] as const;

/**
 * Notes of what is about to be written in several places, each in one piece: the disk is waited for once, where new files and their
 * names need two waits. One process at a time uses a folder of notes.
 */
export class WriteAhead {
  readonly #folder: string;
  readonly #isKnown: (owner: string) => boolean;
  #slots: NoteSlot[] | undefined;

  /** @param isKnown false for an owner that is gone, whose notes nobody will ask for */
  constructor(folder: string, isKnown: (owner: string) => boolean) {
    this.#folder = folder;
    this.#isKnown = isKnown;
  }

  of(owner: string): OwnNotes {
    const ownIn = (slots: readonly NoteSlot[]): NoteSlot | undefined => slots.find((slot) => slot.owner === owner);
    const own = (): NoteSlot | undefined => ownIn(this.#all);
    // What is on its way is of this process: no file has to be looked at, which may be refused.
    const ownNow = (): NoteSlot | undefined => ownIn(this.#slots ?? []);
    return {
      get left() {
        return own()?.left;
      },
      get settling() {
        return ownNow()?.settling;
      },
      keep: (note) => this.#keep({ ...note, owner }),
      forgetLeft: () => {
        const slot = own();
        if (slot?.left !== undefined) slot.forget();
      },
    };
  }

  get #all(): NoteSlot[] {
    this.#slots ??= this.#found();
    return this.#slots;
  }

  /** Of several notes of one owner only the last can be unfinished. */
  #found(): NoteSlot[] {
    const slots = namesIn(this.#folder).map((name) => new NoteSlot(join(this.#folder, name)));
    for (const slot of slots) readSlot(slot);
    for (const slot of slots) {
      const { left } = slot;
      if (left === undefined) continue;
      const isOld = slots.some((other) => other.left?.owner === left.owner && other.left.n > left.n);
      if (isOld || !this.#isKnown(left.owner)) slot.forget();
    }
    return slots;
  }

  /** The disk is at work on it when this returns, unless a file has to be made. */
  async #keep(note: AheadNote): Promise<KeptNote | undefined> {
    const bytes = encodeNote(note);
    if (bytes.length > SLOT_BYTES) return undefined;
    const unused = this.#all.find((slot) => slot.owner === undefined);
    if (unused === undefined) return (await this.#make(note.owner))?.keep(note, bytes);
    unused.owner = note.owner;
    try {
      return await unused.keep(note, bytes);
    } catch (error) {
      const isGone = hasCode(error, 'ENOENT');
      if (isGone || hasCode(error, ...NO_FILE)) this.#all.splice(this.#all.indexOf(unused), 1);
      if (!isGone) throw named(unused.path, error);
      return (await this.#make(note.owner))?.keep(note, bytes);
    }
  }

  /** Undefined where there are as many as there may be. */
  async #make(owner: string): Promise<NoteSlot | undefined> {
    const paths = new Set(this.#all.map(({ path }) => path));
    const path = NAMES.map((name) => join(this.#folder, name)).find((one) => !paths.has(one));
    if (path === undefined) return undefined;
    const slot = new NoteSlot(path);
    slot.owner = owner;
    this.#all.push(slot);
    try {
      makeFolders(this.#folder, { mode: 0o700 });
      await slot.make();
      return slot;
    } catch (error) {
      this.#all.splice(this.#all.indexOf(slot), 1);
      throw named(path, error);
    }
  }
}

/** What the system says of what is no file any more, or no folder. */
const NO_FILE = ['ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'ESPIPE', 'EINVAL'] as const;

/** What is no file of ours is not followed, nor removed, nor passed over: it may stand where the last commit of a project was. */
function named(path: string, cause: unknown): unknown {
  if (!(cause instanceof IoError) && !hasCode(cause, ...NO_FILE)) return cause;
  return new DevLoopError(
    'vault_damaged',
    `${path}, where a project’s last commit may be, cannot be used: ${cause.message}`,
    {
      data: { path },
      hint: 'Keep it elsewhere, and try again: another is made.',
      cause,
    },
  );
}

function readSlot(slot: NoteSlot): void {
  try {
    slot.read();
  } catch (error) {
    throw named(slot.path, error);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    const found = new Set(readdirSync(folder));
    return NAMES.filter((name) => found.has(name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw named(folder, error);
  }
}
