import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { allEnded } from '../io/all-ended.ts';
import { hasCode } from '../io/io-error.ts';
import { logLine, parseLogLine } from '../io/log-line.ts';
import { makeFolders } from '../io/make-folders.ts';
import { syncFolderSoon, writeAtomicSoon, writeNewSoon } from '../io/sync-soon.ts';
import { writeNew } from '../io/write-atomic.ts';
import type { Step } from './restore-steps.ts';

/** What of a write-back stands on the disk beside its targets. */
export interface StageNote {
  readonly schema: 1;
  readonly id: string;
  /** Absolute path of the folder that is written to. */
  readonly root: string;
  /** Stage folders below the root. */
  readonly stages: readonly BytePath[];
  readonly record?: Pick<NotedFile, 'path'> | undefined;
}

/** The note of a write-back that is carried to its end, whatever happens. */
export interface RestoreNote extends StageNote {
  readonly steps: readonly Step[];
  readonly record?: NotedFile | undefined;
}

/** A file that appears, or is replaced, with the first step. */
export interface NotedFile {
  /** Relative to the journal's folder. */
  readonly path: string;
  readonly text: string;
}

/** Notes where new files will wait, before the first of them is there: nothing else tells a kill's heir whose they are. */
export function noteStages(folder: string, note: StageNote): void {
  makeFolders(folder);
  writeNew(join(folder, `${note.id}${STAGING}`), encode(note), { mode: 0o600, durable: false });
}

/** A note that is written and has not got its name yet. */
export interface PendingNote {
  /** Resolves when it is on the disk: from there on a power cut does not stop the write-back. */
  readonly synced: Promise<unknown>;
  /** Makes it count, here and now: from here on the write-back is carried to its end. */
  publish(): void;
}

/** Writes the note by which a write-back is carried to its end, and the record that goes with it. */
export function prepareNote(folder: string, note: RestoreNote): PendingNote {
  const path = join(folder, `${note.id}${APPLYING}`);
  const record = note.record && join(folder, note.record.path);
  if (record !== undefined) writeNew(`${record}${HALF}`, note.record?.text ?? '', { mode: 0o600, durable: false });
  const written = writeNewSoon(`${path}${HALF}`, encode(note), { mode: 0o600 });
  // Its name is made by now, so that both are waited for at once.
  const synced = allEnded([written, syncFolderSoon(folder)]);
  synced.catch(() => undefined);
  return {
    synced,
    publish: () => {
      renameSync(`${path}${HALF}`, path);
      if (record !== undefined) renameSync(`${record}${HALF}`, record);
    },
  };
}

/**
 * Says that all steps were done, so that a file that is not there any more was taken away since. On a file system that keeps changes of
 * names in order this outlives a power cut only together with the steps; so it must be the one that they were done on.
 */
export function notePlaced(folder: string, id: string): void {
  const names = namesIn(folder);
  // Whoever carries a note on may find it under each of its names.
  const before = [APPLYING, `${APPLYING}${HALF}`].find((suffix) => names.includes(`${id}${suffix}`));
  if (before !== undefined) renameSync(join(folder, `${id}${before}`), join(folder, `${id}${PLACED}`));
}

/** A note that was found, and whether all its steps were done once. */
export interface FoundNote extends RestoreNote {
  readonly isPlaced: boolean;
}

/** Makes the record durable that goes with a note, whatever became of it. */
export async function keepRecord(folder: string, { record }: Pick<RestoreNote, 'record'>): Promise<void> {
  if (record !== undefined) await writeAtomicSoon(join(folder, record.path), record.text, { mode: 0o600 });
}

/** Takes a note back that has no name yet; for good when it resolves, so that what it needs can go. */
export async function revokeNote(folder: string, id: string): Promise<void> {
  rmSync(join(folder, `${id}${APPLYING}${HALF}`), { force: true });
  await syncFolderSoon(folder);
}

/** Forgets a write-back that has ended; for good when it resolves. */
export async function removeNotes(folder: string, { id, record }: Pick<StageNote, 'id' | 'record'>): Promise<void> {
  for (const suffix of [PLACED, APPLYING, `${APPLYING}${HALF}`, STAGING])
    rmSync(join(folder, `${id}${suffix}`), { force: true });
  if (record !== undefined) rmSync(join(folder, `${record.path}${HALF}`), { force: true });
  await syncFolderSoon(folder);
}

/** True where a write-back is to be carried to its end. */
export function isNoted(folder: string, id: string): boolean {
  const names = namesIn(folder);
  return [APPLYING, PLACED].some((suffix) => names.includes(`${id}${suffix}`));
}

/** True where a write-back is under way, or did not end. */
export function hasNotes(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** What a kill or a power cut left only this much of: its stage is at the usual place in whatever folder it belonged to. */
export type TornNote = Pick<StageNote, 'id'>;

/**
 * The write-backs that did not end: those to be carried on, and those that only staged files. A note that is on the disk whole
 * counts although it has no name yet: who wrote it may have gone on from there before a power cut. Throws `journal_damaged`.
 */
export function readNotes(folder: string): {
  readonly applying: readonly FoundNote[];
  readonly staging: readonly (StageNote | TornNote)[];
} {
  const names = namesIn(folder);
  const ids = (suffix: string): readonly string[] =>
    names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  const whole = ids(`${APPLYING}${HALF}`).flatMap((id) => wholeNote(join(folder, `${id}${APPLYING}${HALF}`)) ?? []);
  const applying = [
    ...ids(PLACED).map((id) => ({ ...parseNote(join(folder, `${id}${PLACED}`)), isPlaced: true })),
    ...ids(APPLYING).map((id) => ({ ...parseNote(join(folder, `${id}${APPLYING}`)), isPlaced: false })),
    ...whole.map((note) => ({ ...note, isPlaced: false })),
  ];
  const known = new Set(applying.map(({ id }) => id));
  const begun = new Set([...ids(STAGING), ...ids(`${APPLYING}${HALF}`)]);
  const staging = [...begun].filter((id) => !known.has(id)).map((id) => parseStages(folder, id));
  return { applying, staging };
}

const APPLYING = '.restore.json';
const PLACED = '.placed.json';
const STAGING = '.staging.json';
const HALF = '.tmp';

const encode = (note: StageNote): string => `${logLine({ ...note })}\n`;

function namesIn(folder: string): readonly string[] {
  makeFolders(folder);
  return readdirSync(folder).sort();
}

/** The file has its name once it is whole, so that one that cannot be parsed was damaged by something else. */
function parseNote(path: string): RestoreNote {
  const note = parse(path);
  if (isRestore(note)) return note;
  throw new DevLoopError('journal_damaged', `the note of a restore under way cannot be read: ${path}`, {
    data: { path },
    hint: 'Look at the folder, then remove the file.',
  });
}

function wholeNote(path: string): RestoreNote | undefined {
  const note = parseLogLine(readFileSync(path, 'utf8').trimEnd());
  return isRestore(note) ? note : undefined;
}

function isRestore(note: Partial<RestoreNote> | undefined): note is RestoreNote {
  return note?.schema === 1 && Array.isArray(note.steps) && Array.isArray(note.stages);
}

/** A power cut may have left a part of it, when nothing but the stage was there. */
function parseStages(folder: string, id: string): StageNote | TornNote {
  const { root, stages, record } = parse(join(folder, `${id}${STAGING}`)) ?? {};
  return root === undefined || stages === undefined ? { id } : { schema: 1, id, root, stages, record };
}

function parse(path: string): Partial<RestoreNote> | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Partial<RestoreNote> | null) ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
