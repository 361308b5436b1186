import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { makeFolders } from '../io/make-folders.ts';
import { syncFolderSoon, writeNewSoon } from '../io/sync-soon.ts';
import { syncFolder } from '../io/write-atomic.ts';
import type { Step } from './restore-steps.ts';

/** What of a write-back stands on the disk beside its targets. */
export interface StageNote {
  readonly schema: 1;
  readonly id: string;
  /** Absolute path of the folder that is written to. */
  readonly root: string;
  /** Stage folders below the root. */
  readonly stages: readonly BytePath[];
}

/** The note of a write-back that is carried to its end, whatever happens. */
export interface RestoreNote extends StageNote {
  readonly steps: readonly Step[];
}

/** Notes where new files will wait, on the disk before the first of them is: nothing else tells whose they are. */
export async function noteStages(folder: string, note: StageNote): Promise<void> {
  makeFolders(folder);
  await writeNewSoon(join(folder, `${note.id}${STAGING}`), encode(note), { mode: 0o600 });
  await syncFolderSoon(folder);
}

/** A note that is written and has not got its name yet. */
export interface PendingNote {
  /** Resolves when its bytes are on the disk. */
  readonly synced: Promise<void>;
  /** Makes it count, durably: from here on the write-back is carried to its end. */
  publish(): void;
}

/** Writes the note by which a write-back is carried to its end. */
export function prepareNote(folder: string, note: RestoreNote): PendingNote {
  const path = join(folder, `${note.id}${APPLYING}`);
  const temporary = `${path}${HALF}`;
  const synced = writeNewSoon(temporary, encode(note), { mode: 0o600 });
  synced.catch(() => undefined);
  return {
    synced,
    publish: () => {
      renameSync(temporary, path);
      syncFolder(folder);
    },
  };
}

/** A power cut may bring the notes back: the steps that they ask for are found done. */
export function removeNotes(folder: string, id: string): void {
  for (const suffix of [APPLYING, `${APPLYING}${HALF}`, STAGING])
    rmSync(join(folder, `${id}${suffix}`), { force: true });
}

/** True where a write-back is to be carried to its end. */
export function isNoted(folder: string, id: string): boolean {
  return namesIn(folder).includes(`${id}${APPLYING}`);
}

/** The write-backs that did not end: those to be carried on, and those that only staged files. Throws `journal_damaged`. */
export function readNotes(folder: string): {
  readonly applying: readonly RestoreNote[];
  readonly staging: readonly StageNote[];
} {
  const names = namesIn(folder);
  const applying = names.filter((name) => name.endsWith(APPLYING)).map((name) => parseNote(join(folder, name)));
  const known = new Set(applying.map(({ id }) => id));
  const ids = names.filter((name) => name.endsWith(STAGING)).map((name) => name.slice(0, -STAGING.length));
  const staging = ids.filter((id) => !known.has(id)).map((id) => parseStages(folder, id));
  return { applying, staging };
}

const APPLYING = '.restore.json';
const STAGING = '.staging.json';
const HALF = '.tmp';

const encode = (note: StageNote): string => `${JSON.stringify(note)}\n`;

function namesIn(folder: string): readonly string[] {
  makeFolders(folder);
  return readdirSync(folder).sort();
}

/** The file appears whole, so that one that cannot be parsed was damaged by something else. */
function parseNote(path: string): RestoreNote {
  const note = parse(path);
  if (note?.schema === 1 && Array.isArray(note.steps) && Array.isArray(note.stages)) return note as RestoreNote;
  throw new DevLoopError('journal_damaged', `the note of a restore under way cannot be read: ${path}`, {
    data: { path },
    hint: 'Look at the folder, then remove the file.',
  });
}

/** A power cut may have left a part of it, when nothing but the stage was there. */
function parseStages(folder: string, id: string): StageNote {
  const { root = folder, stages = [] } = parse(join(folder, `${id}${STAGING}`)) ?? {};
  return { schema: 1, id, root, stages };
}

function parse(path: string): Partial<RestoreNote> | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Partial<RestoreNote> | null) ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
