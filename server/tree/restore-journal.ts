import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { makeFolders } from '../io/make-folders.ts';
import { syncFolder, writeAtomic } from '../io/write-atomic.ts';
import type { Step } from './restore-steps.ts';

/** The note of a write-back that is under way. While it says `staging` nothing but the stage was touched. */
export interface RestoreNote {
  readonly schema: 1;
  readonly id: string;
  /** Absolute path of the folder that is written to. */
  readonly root: string;
  readonly state: 'staging' | 'applying';
  /** Stage folders below the root. */
  readonly stages: readonly BytePath[];
  readonly steps: readonly Step[];
}

/** Writes a note durably; with `applying` it is the point from which on the restore is carried to its end. */
export function writeNote(folder: string, note: RestoreNote): void {
  makeFolders(folder);
  writeAtomic(fileOf(folder, note.id), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

export function removeNote(folder: string, id: string): void {
  rmSync(fileOf(folder, id), { force: true });
  syncFolder(folder);
}

/** The notes of write-backs that did not end. Throws `journal_damaged`. */
export function readNotes(folder: string): readonly RestoreNote[] {
  makeFolders(folder);
  const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return names.sort().map((name) => parseNote(join(folder, name)));
}

const SUFFIX = '.restore.json';
const fileOf = (folder: string, id: string): string => join(folder, `${id}${SUFFIX}`);

/** The file appears whole, so that one that cannot be parsed was damaged by something else. */
function parseNote(path: string): RestoreNote {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as RestoreNote;
    if (note.schema === 1 && Array.isArray(note.steps) && Array.isArray(note.stages)) return note;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DevLoopError('journal_damaged', `the note of a restore under way cannot be read: ${path}`, {
    data: { path },
    hint: 'Look at the folder, then remove the file.',
  });
}
