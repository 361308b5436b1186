import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { type OpenTurn, turnsFileSchema } from '../domain/turn.ts';
import { hasCode } from '../io/io-error.ts';
import { processLives, processStartTime } from '../io/process-table.ts';
import { writeAtomic } from '../io/write-atomic.ts';

/** The turns that have begun and not ended. Throws `store_damaged`. */
export function readOpenTurns(store: string): readonly OpenTurn[] {
  const path = pathOf(store);
  try {
    const parsed = turnsFileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (parsed.success) return parsed.data.open;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DevLoopError('store_damaged', `${path} cannot be read`, { data: { path }, hint: 'Remove the file.' });
}

export function writeOpenTurns(store: string, open: readonly OpenTurn[]): void {
  writeAtomic(pathOf(store), `${JSON.stringify({ schema: 1, open })}\n`, { mode: 0o600 });
}

/** This process, as the one that runs a turn. */
export function thisRunner(): Pick<OpenTurn, 'pid' | 'start_time'> {
  const start_time = processStartTime(process.pid);
  return { pid: process.pid, ...(start_time !== undefined && { start_time }) };
}

/** True where the process that ran a turn is gone. */
export function runnerIsGone({ pid, start_time }: OpenTurn): boolean {
  return start_time === undefined ? false : !processLives({ pid, start_time });
}

const pathOf = (store: string): string => join(store, 'turns.json');
