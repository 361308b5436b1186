import { type BytePath, fromPathText, pathText } from '../domain/byte-path.ts';
import type { NestedRepository, PointId } from '../domain/point.ts';
import { notSaved, type RestoredHistory, restoreHistory } from './histories/restore-history.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { findPoint } from './point-store.ts';
import { settlePoints } from './workspace-lock.ts';

/** The git histories of repositories in a workspace, as points hold them. */
export function workspaceHistories(workspace: OpenWorkspace) {
  return {
    /** The history of a repository, as it is kept: an encrypted git bundle. Throws point_not_found, not_found. */
    openHistory: async (id: PointId, path: BytePath, signal?: AbortSignal) => {
      const row = await rowAt(workspace, id, path);
      if (row.history === undefined) throw notSaved(row);
      return { size: row.history.size, content: workspace.large().read(row.history, signal) };
    },
    /** Writes it as a new git dir at an absolute path where nothing is. */
    restoreHistory: async (
      id: PointId,
      path: BytePath,
      how: { readonly to: string; readonly identities: readonly string[] },
    ): Promise<RestoredHistory> => restoreHistory(workspace, await rowAt(workspace, id, path), how),
  };
}

async function rowAt(workspace: OpenWorkspace, id: PointId, path: BytePath): Promise<NestedRepository> {
  await settlePoints(workspace);
  const row = (await findPoint(workspace, id)).nested.find((one) => fromPathText(one) === path);
  if (row === undefined) throw notSaved(pathText(path));
  return row;
}
