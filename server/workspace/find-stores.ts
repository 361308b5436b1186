import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { parseWorkspaceId, type WorkspaceFile, type WorkspaceId } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';
import { readWorkspaceFile } from './workspace-file.ts';
import { placeOfRoot, type WorkspacePlace } from './workspace-place.ts';

/** A workspace whose history is kept; its folder may be gone. */
export interface KnownWorkspace extends WorkspacePlace {
  readonly file: WorkspaceFile;
}

/** Lists all workspaces that have a store. */
export function findStores(stateDir: string): readonly KnownWorkspace[] {
  return storeFolders(stateDir).flatMap(({ store }) => {
    const file = readWorkspaceFile(store);
    return file === undefined ? [] : [{ ...placeOfRoot(stateDir, file.root), file }];
  });
}

/** Lists the stores without reading them. */
export function storeFolders(stateDir: string): readonly Pick<WorkspacePlace, 'id' | 'store'>[] {
  const folder = join(stateDir, 'workspaces');
  return names(folder).flatMap((parent) =>
    names(join(folder, parent)).map((own) => ({
      id: parseWorkspaceId(`${parent}-${own}`),
      store: join(folder, parent, own),
    })),
  );
}

/** Throws `workspace_not_found`. */
export function findStore(stateDir: string, id: WorkspaceId): KnownWorkspace {
  const [parent = '', own = ''] = id.split('-');
  const store = join(stateDir, 'workspaces', parent, own);
  const file = readWorkspaceFile(store);
  if (file !== undefined) return { id, root: file.root, store, file };
  throw new DevLoopError('workspace_not_found', `there is no workspace ${id}`, { data: { id } });
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{16}$/.test(name));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
