import { randomBytes } from 'node:crypto';
import { DevLoopError } from '../domain/errors.ts';
import { type Point, parseTurnId, stampedId, type TurnId } from '../domain/point.ts';
import type { OpenTurn, Turn, TurnAbout } from '../domain/turn.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import { movedHint } from './moved-hint.ts';
import { readOpenTurns, runnerIsGone, thisRunner, writeOpenTurns } from './open-turns.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { listPoints } from './point-store.ts';
import { takePoint } from './take-point.ts';
import type { Locked } from './workspace-lock.ts';

/** Begins a turn: the folder is kept as it is. A turn whose process died gets its end first. */
export async function beginTurn(
  workspace: Locked<OpenWorkspace>,
  about: TurnAbout,
  signal?: AbortSignal,
): Promise<{ readonly turn: TurnId; readonly pre: Point }> {
  await endLostTurns(workspace);
  const { reason = 'before a turn', ...who } = about;
  const now = workspace.options.now();
  const turn = parseTurnId(stampedId(now, randomBytes(3).toString('hex')));
  const pre = await takePoint(workspace, { phase: 'PRE_TURN', reason, ...who, turn, signal });
  const open: OpenTurn = { turn, ...withoutUndefined(who), since: now.toISOString(), ...thisRunner() };
  writeOpenTurns(workspace.store, [...readOpenTurns(workspace.store), open]);
  return { turn, pre };
}

/** Ends a turn: the folder is kept as the turn left it. Throws `not_found`. */
export async function endTurn(workspace: Locked<OpenWorkspace>, turn: TurnId, reason = 'after a turn'): Promise<Point> {
  const open = readOpenTurns(workspace.store);
  const found = open.find((one) => one.turn === turn);
  if (found === undefined) throw new DevLoopError('not_found', `there is no open turn ${turn}`, { data: { turn } });
  const { task_id, actor, run_id } = found;
  const post = await takePoint(workspace, { phase: 'POST_TURN', reason, task_id, actor, run_id, turn });
  writeOpenTurns(
    workspace.store,
    open.filter((one) => one.turn !== turn),
  );
  return post;
}

/** Ends the turns whose processes died: the folder as it is now is the best that is known of their end. */
export async function endLostTurns(workspace: Locked<OpenWorkspace>): Promise<void> {
  const lost = readOpenTurns(workspace.store).filter(runnerIsGone);
  for (const { turn } of lost) await endTurn(workspace, parseTurnId(turn), 'after a turn whose process died');
}

/** Lists turns by the points before them, newest first. */
export async function listTurns(workspace: OpenWorkspace): Promise<readonly Turn[]> {
  const points = await listPoints(workspace);
  const open = new Set(readOpenTurns(workspace.store).map(({ turn }) => turn));
  const posts = new Map(points.filter(({ phase }) => phase === 'POST_TURN').map((point) => [point.turn, point]));
  const turns = points.flatMap((pre): Turn[] => {
    if (pre.phase !== 'PRE_TURN' || pre.turn === undefined) return [];
    const post = posts.get(pre.turn);
    const state = post !== undefined ? 'ended' : open.has(pre.turn) ? 'open' : 'unfinished';
    return [{ turn: parseTurnId(pre.turn), state, pre, ...(post && { post }) }];
  });
  return turns.reverse();
}

/** The turn at an offset, 0 for the newest. Throws `nothing_to_restore`. */
export async function turnAt(workspace: OpenWorkspace, offset: number): Promise<Turn> {
  const turn = (await listTurns(workspace))[offset];
  if (turn !== undefined) return turn;
  const hint = movedHint(workspace);
  throw new DevLoopError('nothing_to_restore', `there is no turn number ${offset} from the newest`, {
    data: { offset },
    ...(hint !== undefined && { hint }),
  });
}
