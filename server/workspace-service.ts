import type { Comparer } from './compare/index.ts';
import { DevLoopError } from './domain/errors.ts';
import type { WorkspaceId } from './domain/point.ts';
import type { WorkspaceFolder, WorkspaceService } from './http/index.ts';
import type { Logger } from './io/logger.ts';
import type { Workspace, Workspaces } from './workspace/index.ts';
import { workspacePatch } from './workspace-patch.ts';
import { workspacePicture } from './workspace-picture.ts';
import { WorkspacePool } from './workspace-pool.ts';

export interface WorkspaceServiceOptions {
  readonly workspaces: Workspaces;
  /** False where the person has switched the protection of turns off. */
  readonly turns: boolean;
  readonly log: Pick<Logger, 'error'>;
  readonly comparer: Comparer;
  /** How long a workspace that nobody uses stays open; a minute where absent. */
  readonly idle_ms?: number;
}

export interface OwnedWorkspaceService extends WorkspaceService {
  /** Ends the turns that a killed server was to end. */
  boot(): void;
  /** Resolves when what was asked for is done and everything is closed. */
  close(): Promise<void>;
}

/** What a server does with the person's folders. */
export function workspaceService(options: WorkspaceServiceOptions): OwnedWorkspaceService {
  const { workspaces, turns, log, comparer, idle_ms = 60_000 } = options;
  const pool = new WorkspacePool({
    open: (id) => workspaces.find(id),
    idle_ms,
    onFault: (error) => log.error('a workspace could not be closed', { error }),
  });
  const ends = new Set<Promise<void>>();
  /** Never waited for by who asks: what fails is noted, and tried again with the next end, turn or start. */
  function endAsked(id: WorkspaceId): void {
    const end = pool
      .use(id, (workspace) => workspace.endAskedTurns())
      .catch((error: unknown) => log.error('a turn could not be ended', { workspace: id, error }))
      .finally(() => ends.delete(end));
    ends.add(end);
  }
  return {
    list: () => workspaces.list(),
    add: async (path, { attach, ...about }) => {
      if (attach === undefined) return closed(workspaces.open(path, about));
      return pool.withoutIt(attach, () => closed(workspaces.attach(attach, path)));
    },
    use: (id, work) => pool.use(id, work),
    change: async (id, { settings, name }) => {
      const changed = await pool.use(id, async (workspace) => ({
        ...folderOf(workspace),
        file: workspace.changeSettings(settings, name),
      }));
      pool.evictSoon(id);
      return changed;
    },
    pruneAll: () => workspaces.pruneAll((id, work) => pool.use(id, work)),
    remove: (id) => pool.withoutIt(id, () => workspaces.remove(id)),
    beginTurn: (id, about) => {
      if (turns) return pool.use(id, (workspace) => workspace.beginTurn(about));
      throw new DevLoopError('bad_state', 'Turns are not protected here: the setting snapshot_enabled is off.');
    },
    endTurn: async (id, turn) => {
      const state = await pool.use(id, (workspace) => workspace.askTurnEnd(turn));
      if (state === 'ending') endAsked(id);
      return state;
    },
    patch: (id, request) => pool.use(id, (workspace) => workspacePatch(workspace, { ...request, comparer })),
    picture: (id, request) => pool.use(id, (workspace) => workspacePicture(workspace, { ...request, comparer })),
    boot: () => {
      for (const id of workspaces.withAskedEnds()) endAsked(id);
    },
    close: async () => {
      await Promise.all(ends);
      await pool.close();
    },
  };
}

async function closed(workspace: Workspace): Promise<WorkspaceFolder> {
  await workspace.close();
  return folderOf(workspace);
}

const folderOf = ({ id, root, file }: Workspace): WorkspaceFolder => ({ id, root, file });
