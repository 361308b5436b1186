import type { BucketPlace } from '../domain/point.ts';
import { openBucket } from './objects/open-objects.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** Removes everything from one workspace's part of a bucket. @returns how many objects */
export async function emptyBucket(place: BucketPlace, options: Pick<WorkspaceOptions, 'bucket'>): Promise<number> {
  const bucket = openBucket(place, options.bucket ?? { region: '' });
  await bucket.sweep(0);
  let removed = 0;
  for await (const { sha256 } of bucket.list()) {
    await bucket.remove(sha256);
    removed++;
  }
  return removed;
}
