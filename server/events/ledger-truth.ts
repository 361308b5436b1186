import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';
import { readLog } from '../io/read-log.ts';
import { readBelow } from '../io/safe-path.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import type { OwnFile } from './set-aside.ts';

/** A larger ledger is not taken over from a project that was brought in. */
const MOST_ADOPTED = 256 * 1024 * 1024;

/** The server's own lines of a ledger, from which the project's copy is kept right. */
export interface LedgerTruth {
  readonly path: string;
  /** Where the last finished group of lines ends: what follows was torn by a kill. */
  readonly end: number;
  /** Journal position of that group; 0 where there is none. */
  readonly position: number;
}

/**
 * Finds the server's own lines of a ledger. Where it has none, the project was brought in by hand with its ledgers: its
 * lines are taken over, but not their journal positions, which are those of another journal.
 */
export function findLedgerTruth(file: OwnFile): LedgerTruth {
  const folder = join(file.state, 'ledgers');
  const path = join(folder, file.name);
  const note = `${file.name}.adopted.json`;
  makeFolders(folder);
  const brought = existsSync(path) ? Buffer.alloc(0) : wholeLines(file);
  if (brought.length > 0) {
    writeAtomic(join(folder, note), `${JSON.stringify({ schema: 1, bytes: brought.length })}\n`);
    writeAtomic(path, brought);
  }
  return { path, ...finishedLines(path, adoptedBytes(folder, note)) };
}

function wholeLines({ root, name }: OwnFile): Buffer {
  try {
    const content = readBelow(root, name, MOST_ADOPTED) ?? Buffer.alloc(0);
    return content.subarray(0, content.lastIndexOf('\n') + 1);
  } catch (error) {
    if (hasCode(error, 'path_refused', 'too_large')) return Buffer.alloc(0);
    throw error;
  }
}

function adoptedBytes(folder: string, note: string): number {
  const content = readBelow(folder, note, 1000)?.toString();
  return content === undefined ? 0 : (JSON.parse(content) as { readonly bytes: number }).bytes;
}

/** Only the last line of a group has `pos`. */
function finishedLines(path: string, adopted: number): { readonly end: number; readonly position: number } {
  if (!existsSync(path)) return { end: 0, position: 0 };
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    let [end, position] = [adopted, 0];
    for (const { record, end: lineEnd } of readLog(fd, { from: adopted })) {
      if (typeof record?.pos !== 'number') continue;
      end = lineEnd;
      position = record.pos;
    }
    return { end, position };
  } finally {
    closeSync(fd);
  }
}
