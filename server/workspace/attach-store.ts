import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { WorkspaceFile } from '../domain/point.ts';
import { makeFolders } from '../io/make-folders.ts';
import type { KnownWorkspace } from './find-stores.ts';
import { refuseRoot } from './refuse-root.ts';
import { writeWorkspaceFile } from './workspace-file.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import { hasStore, placeOf, type WorkspacePlace } from './workspace-place.ts';

/** Moves a history to the place that belongs to another folder. Throws `conflict` where that has one, `workspace_refused`. */
export function attachStore(
  old: KnownWorkspace,
  path: string,
  options: WorkspaceOptions,
): readonly [WorkspacePlace, WorkspaceFile] {
  const place = placeOf(options.stateDir, path);
  refuseRoot(place.root, options);
  if (hasStore(place)) {
    throw new DevLoopError('conflict', `${place.root} has a history of its own`, { data: { id: place.id } });
  }
  makeFolders(dirname(place.store), { mode: 0o700 });
  renameSync(old.store, place.store);
  const file = { ...old.file, root: place.root };
  writeWorkspaceFile(place.store, file);
  return [place, file];
}
