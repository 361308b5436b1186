import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { DevLoopError } from '../domain/errors.ts';
import type { StartedProcess } from '../io/end-processes.ts';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';

/** Notes on disk what is being started for a project, so that the next server can end what a killed one left. */
export interface ProcessRecord {
  /** On disk when it returns: to be called before anything of the call is started. */
  open(call: { readonly call: string; readonly marker: string }): NotedCall;
}

export interface NotedCall {
  readonly marker: string;
  /** Notes a process of the call. */
  readonly started: (process: StartedProcess) => void;
  /** Everything of the call has ended. */
  readonly close: () => void;
}

const entrySchema = z.object({
  pid: z.int().positive().nullable(),
  start_time: z.string().nullable(),
  call: z.string(),
  marker: z.string().min(16),
});
const fileSchema = z.object({ schema: z.literal(1), processes: z.array(entrySchema) });

/** `pid` and `start_time` are null in the note made before a start, and where the system tells none. */
export type ProcessNote = z.infer<typeof entrySchema>;

/** The record in a file of the server's own, one for each project. What an earlier server noted stays until it is cleared. */
export function openProcessRecord(path: string): ProcessRecord {
  let notes = readProcessNotes(path);
  const keep = (next: readonly ProcessNote[]): void => {
    writeNotes(path, next);
    notes = next;
  };
  return {
    open({ call, marker }) {
      keep([...notes, { pid: null, start_time: null, call, marker }]);
      return {
        marker,
        started: ({ pid, start_time }) => keep([...notes, { pid, start_time: start_time ?? null, call, marker }]),
        close: () => keep(notes.filter((note) => note.marker !== marker)),
      };
    },
  };
}

/** What is noted in the file; nothing where it is absent. Throws store_damaged. */
export function readProcessNotes(path: string): readonly ProcessNote[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).processes;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new DevLoopError('store_damaged', `${path} does not tell which processes were started`, { cause: error });
  }
}

/** What the system writes whole or not at all, whenever a kill comes. */
const PAGE_BYTES = 4096;

/**
 * Whole after a kill, which is what it is for; not synced: no process outlives a power cut. Blanks fill the page, so that the
 * next notes go in their place: to replace a file makes ext4 write it out, milliseconds each on a busy disk.
 */
export function writeNotes(path: string, processes: readonly ProcessNote[]): void {
  const text = `${JSON.stringify({ schema: 1, processes })}\n`.padEnd(PAGE_BYTES);
  if (text.length === PAGE_BYTES && overwrite(path, text)) return;
  makeFolders(dirname(path));
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** False where the file is not there, or not one page long. */
function overwrite(path: string, page: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'r+');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
  try {
    return fstatSync(fd).size === PAGE_BYTES && writeSync(fd, page) === PAGE_BYTES;
  } finally {
    closeSync(fd);
  }
}
