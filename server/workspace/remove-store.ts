import { removeTree } from '../io/remove-tree.ts';
import { emptyBucket } from './empty-bucket.ts';
import type { KnownWorkspace } from './find-stores.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Deletes a history: first what it has in buckets, as nothing else knows of that. */
export async function removeStore({ store, file }: KnownWorkspace, options: WorkspaceOptions): Promise<void> {
  const { objects, elsewhere = [] } = file;
  for (const place of objects === undefined ? elsewhere : [objects, ...elsewhere]) await emptyBucket(place, options);
  await removeTree(store);
}
