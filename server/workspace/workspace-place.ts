import { hash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkspaceId } from '../domain/point.ts';
import { realFolder } from './real-root.ts';

/** Where a workspace and its store are. Paths are absolute and without links. */
export interface WorkspacePlace {
  readonly id: WorkspaceId;
  readonly root: string;
  readonly store: string;
}

/** Finds the store of a folder by the folder's real path. Throws `workspace_not_found`. */
export function placeOf(stateDir: string, path: string): WorkspacePlace {
  const root = realFolder(path);
  return placeOfRoot(stateDir, root);
}

/** The same for a root that need not be there. */
export function placeOfRoot(stateDir: string, root: string): WorkspacePlace {
  const [parent, own] = [dirname(root), root].map((text) => hash('sha256', text).slice(0, 16));
  const store = join(stateDir, 'workspaces', parent ?? '', own ?? '');
  return { id: `${parent}-${own}` as WorkspaceId, root, store };
}

export function hasStore({ store }: WorkspacePlace): boolean {
  return lstatSync(join(store, 'workspace.json'), { throwIfNoEntry: false })?.isFile() ?? false;
}
