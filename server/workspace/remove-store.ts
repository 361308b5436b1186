import { removeTree } from '../io/remove-tree.ts';
import { emptyBucket } from './empty-bucket.ts';
import type { KnownWorkspace } from './find-stores.ts';
import { drain } from './workspace-lock.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Deletes a history: first what it has in buckets, as nothing else knows of that. */
export async function removeStore(known: KnownWorkspace, options: WorkspaceOptions): Promise<void> {
  // A restore that was told may still be on its way to the disk.
  await drain(known);
  const { store, file } = known;
  const { objects, elsewhere = [] } = file;
  for (const place of objects === undefined ? elsewhere : [objects, ...elsewhere]) await emptyBucket(place, options);
  await removeTree(store);
}
