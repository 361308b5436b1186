import type { FolderObjects } from './objects/folder-objects.ts';
import type { LargeObjects } from './objects/large-objects.ts';
import { openObjects } from './objects/open-objects.ts';
import { readWorkspaceFile } from './workspace-file.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Where a workspace keeps its large files. Read anew each time, as another process may have moved them. */
export function objectsNow(
  store: string,
  spool: FolderObjects,
  { bucket = NO_BUCKET }: Pick<WorkspaceOptions, 'bucket'>,
): LargeObjects {
  return openObjects(readWorkspaceFile(store)?.objects, spool, bucket);
}

const NO_BUCKET = { region: '' };
