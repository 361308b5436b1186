import type { WorkspaceId, WorkspaceSettingsInput } from '../domain/point.ts';
import { attachStore } from './attach-store.ts';
import { findStore, findStores, type KnownWorkspace, storeFolders } from './find-stores.ts';
import { makeStore } from './open-store.ts';
import { parseSettings } from './parse-settings.ts';
import { type EveryWorkspace, type PrunedAll, pruneAll } from './prune-all.ts';
import { refuseRoot } from './refuse-root.ts';
import { removeStore } from './remove-store.ts';
import { askedEnds } from './turn-ends.ts';
import { type Workspace, workspaceOf } from './workspace.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import { placeOf } from './workspace-place.ts';

export interface NewWorkspace {
  readonly name?: string | undefined;
  readonly settings?: WorkspaceSettingsInput | undefined;
}

/** The workspaces of a person. */
export interface Workspaces {
  /**
   * Opens a folder as a workspace, and makes its store where there is none.
   * @throws DevLoopError workspace_refused, workspace_not_found
   */
  open(path: string, about?: NewWorkspace): Workspace;
  /** Opens one that has a store; its folder may be gone. Throws `workspace_not_found`. */
  find(id: WorkspaceId): Workspace;
  list(): readonly KnownWorkspace[];
  /** Those that have turns which are to end: a killed process left them. */
  withAskedEnds(): readonly WorkspaceId[];
  /** Gives the history of a folder that was moved to the folder where it is now. Throws `conflict` where that has one. */
  attach(id: WorkspaceId, path: string): Workspace;
  /** Prunes every history, and holds all together to their size. `use` lends one where absent: it is opened and closed. */
  pruneAll(use?: EveryWorkspace['use']): Promise<PrunedAll>;
  /** Deletes a history, with what it has in a bucket; the folder itself is not touched. */
  remove(id: WorkspaceId): Promise<void>;
}

export function openWorkspaces(options: WorkspaceOptions): Workspaces {
  const { stateDir, maxTotalBytes } = options;
  const find = (id: WorkspaceId): Workspace => {
    const { file, ...place } = findStore(stateDir, id);
    return workspaceOf(place, makeStore(place, { now: options.now(), settings: file.settings }), options);
  };
  return {
    open(path, { name, settings = {} } = {}) {
      const place = placeOf(stateDir, path);
      refuseRoot(place.root, options);
      const file = makeStore(place, {
        now: options.now(),
        name,
        settings: parseSettings(settings),
        places: options,
      });
      return workspaceOf(place, file, options);
    },
    find,
    list: () => findStores(stateDir),
    withAskedEnds: () =>
      storeFolders(stateDir)
        .filter(({ store }) => askedEnds(store).length > 0)
        .map(({ id }) => id),
    attach: (id, path) => workspaceOf(...attachStore(findStore(stateDir, id), path, options), options),
    pruneAll: (use = opened(find)) => pruneAll({ ids: storeFolders(stateDir).map(({ id }) => id), use, maxTotalBytes }),
    remove: (id) => removeStore(findStore(stateDir, id), options),
  };
}

/** Opens one for a piece of work, and closes it. */
function opened(find: Workspaces['find']): EveryWorkspace['use'] {
  return async (id, work) => {
    const workspace = find(id);
    try {
      return await work(workspace);
    } finally {
      await workspace.close();
    }
  };
}
