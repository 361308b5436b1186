import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { parseTurnId, type TurnId } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import { readOpenTurns } from './open-turns.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { endTurn, listTurns } from './turns.ts';
import type { Locked } from './workspace-lock.ts';

/**
 * Notes durably that a turn is to end, without waiting for what is being written: a kill does not lose it.
 * @returns `ended` where it has its end already
 * @throws DevLoopError not_found
 */
export async function askTurnEnd(workspace: OpenWorkspace, turn: TurnId): Promise<'ending' | 'ended'> {
  if (readOpenTurns(workspace.store).some((open) => open.turn === turn)) {
    mkdirSync(folderOf(workspace.store), { recursive: true, mode: 0o700 });
    writeAtomic(join(folderOf(workspace.store), turn), '', { mode: 0o600 });
    return 'ending';
  }
  const known = (await listTurns(workspace)).find((one) => one.turn === turn);
  if (known?.state === 'ended') return 'ended';
  throw new DevLoopError('not_found', `there is no open turn ${turn}`, { data: { turn } });
}

/** Ends the turns that are to end, in the order of their beginning. */
export async function endAskedTurns(workspace: Locked<OpenWorkspace>): Promise<void> {
  for (const turn of askedEnds(workspace.store)) {
    if (readOpenTurns(workspace.store).some((open) => open.turn === turn)) await endTurn(workspace, turn);
    rmSync(join(folderOf(workspace.store), turn), { force: true });
  }
}

/** The turns that are to end. */
export function askedEnds(store: string): readonly TurnId[] {
  try {
    const names = readdirSync(folderOf(store)).filter((name) => /^[0-9t]+-[0-9a-f]{6}$/.test(name));
    return names.sort().map(parseTurnId);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const folderOf = (store: string): string => join(store, 'ends');
