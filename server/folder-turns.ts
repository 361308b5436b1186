import { workspacesOf } from './app-workspaces.ts';
import { processConfig } from './config/index.ts';
import { bytePathFromText, parseBytePath, pathText } from './domain/byte-path.ts';
import { DevLoopError } from './domain/errors.ts';
import type { Point, TurnId } from './domain/point.ts';
import type { Turn, TurnAbout } from './domain/turn.ts';
import { withoutUndefined } from './domain/without-undefined.ts';
import type { RestoreReport, RestoreScope } from './domain/workspace-restore.ts';
import type { Workspace, Workspaces } from './workspace/index.ts';

/** What a task is told of its turn; nothing where turns are not protected (`DEVLOOP_SNAPSHOT_ENABLED`). */
export interface RunningTurn {
  readonly turn: TurnId;
  /** The point before. */
  readonly pre: Point;
}

export interface PreTurnOptions {
  /** `agent` leaves what was changed after the turn, or not by it; `all` where absent. */
  readonly scope?: RestoreScope;
  /** Paths relative to the root, in UTF-8: only these and what is below them. */
  readonly only?: readonly string[];
}

/** The folders of the person whose histories are kept, by the settings of the environment. */
export function personalWorkspaces(): Workspaces {
  return workspacesOf(processConfig().settings);
}

/**
 * Does a task between two points of a folder. The first is there before the task begins; the second is queued when it ends,
 * also where it throws: nobody waits for it but the end of the process. Where it cannot be taken, the process warns.
 * @param root path of the folder
 * @throws DevLoopError workspace_refused, workspace_not_found, disk_full; whatever the task throws
 */
export async function runTurn<Result>(
  root: string,
  task: (turn?: RunningTurn) => Result | Promise<Result>,
  about: TurnAbout = {},
): Promise<Result> {
  const { settings } = processConfig();
  if (!settings.snapshot_enabled) return task();
  const workspace = workspacesOf(settings).open(root);
  const begun = await workspace.beginTurn(about).catch(async (error: unknown) => {
    await workspace.close();
    throw error;
  });
  try {
    return await task(begun);
  } finally {
    endLater(workspace, begun.turn);
  }
}

/** Lists the turns of a folder that can be gone back before, newest first: the place in the list is the offset. */
export async function listPreTurnSnapshots(root: string): Promise<readonly Turn[]> {
  return using(root, (workspace) => workspace.turns());
}

/**
 * Makes a folder what it was before a turn. The state before is kept as a point, so that this can be undone.
 * @param offset 0 for the newest turn
 * @throws DevLoopError nothing_to_restore, point_incomplete, bad_state (scope agent for a turn that has not ended), path_refused
 */
export async function restorePreTurn(root: string, offset = 0, options: PreTurnOptions = {}): Promise<RestoreReport> {
  const only = options.only?.map(relativePath);
  return using(root, async (workspace) => {
    const { id, digest } = await workspace.planPreTurn(offset, withoutUndefined({ scope: options.scope, only }));
    return workspace.applyRestore(id, digest);
  });
}

function endLater(workspace: Workspace, turn: TurnId): void {
  workspace
    .endTurn(turn)
    .finally(() => workspace.close())
    .catch((error: unknown) => process.emitWarning(`the point after the turn ${turn} is missing: ${String(error)}`));
}

async function using<Result>(root: string, work: (workspace: Workspace) => Promise<Result>): Promise<Result> {
  const workspace = personalWorkspaces().open(root);
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

function relativePath(text: string) {
  const path = parseBytePath(bytePathFromText(text));
  if (path !== undefined) return pathText(path);
  throw new DevLoopError('path_refused', `${text} is no path below the folder`);
}
