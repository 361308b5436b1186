import type { TurnId } from '../domain/point.ts';
import type { TurnAbout } from '../domain/turn.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { dropPoints } from './prune.ts';
import { askTurnEnd, endAskedTurns } from './turn-ends.ts';
import { beginTurn, endLostTurns, endTurn, listTurns, turnAt } from './turns.ts';
import { settlePoints, withLock } from './workspace-lock.ts';

/** The turns of a workspace. */
export function workspaceTurns(workspace: OpenWorkspace) {
  const beginning = (about: TurnAbout, signal?: AbortSignal) =>
    withLock(workspace, (locked) => beginTurn(locked, about, signal));
  const ending = (turn: TurnId) =>
    withLock(workspace, async (locked) => {
      const post = await endTurn(locked, turn);
      await dropPoints(locked);
      return post;
    });
  return {
    /** Resolves when the folder is kept as it is: the task may start then. */
    beginTurn: beginning,
    /** Resolves when the folder is kept as the turn left it. */
    endTurn: ending,
    /** Notes that a turn is to end; `endAskedTurns` ends it. */
    askTurnEnd: (turn: TurnId) => askTurnEnd(workspace, turn),
    endAskedTurns: () =>
      withLock(workspace, async (locked) => {
        await endAskedTurns(locked);
        await dropPoints(locked);
      }),
    /** Ends turns whose processes died. */
    endLostTurns: () => withLock(workspace, endLostTurns),
    turns: async () => {
      await settlePoints(workspace);
      return listTurns(workspace);
    },
    turnAt: async (offset: number) => {
      await settlePoints(workspace);
      return turnAt(workspace, offset);
    },
    /** Does a task between two points; the second is taken also where the task throws. */
    runTurn: async <Result>(about: TurnAbout, task: () => Promise<Result>): Promise<Result> => {
      const { turn } = await beginning(about);
      try {
        return await task();
      } finally {
        await ending(turn);
      }
    },
  };
}
