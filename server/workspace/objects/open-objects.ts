import { DevLoopError } from '../../domain/errors.ts';
import type { BucketPlace } from '../../domain/point.ts';
import type { BucketCredentials, BucketOptions } from './bucket-client.ts';
import { BucketObjects } from './bucket-objects.ts';
import type { FolderObjects } from './folder-objects.ts';
import type { LargeObjects, ObjectPlace } from './large-objects.ts';

/** The bucket of the person, for the large files of workspaces that are told to keep them there. */
export interface BucketAccess extends Pick<BucketOptions, 'retries_ms' | 'patience_ms'> {
  /** Address of the bucket itself; absent where there is none for new moves. */
  readonly url?: string | undefined;
  readonly region: string;
  /** Absent where the environment has none. */
  readonly credentials?: BucketCredentials | undefined;
  readonly part_bytes?: number;
  /** How old garbage must be before it is removed; ms. */
  readonly grace_ms?: number;
}

/** Opens the place where a workspace keeps its large files. Throws `bucket_refused` where there are no credentials for it. */
export function openObjects(place: ObjectPlace, folder: FolderObjects, access: BucketAccess): LargeObjects {
  return place === undefined ? folder : openBucket(place, access);
}

/** Opens one folder of a bucket. */
export function openBucket({ url, region, store }: BucketPlace, access: BucketAccess): LargeObjects {
  const { credentials, url: _url, region: _region, grace_ms: _grace, ...options } = access;
  if (credentials !== undefined) return new BucketObjects({ ...options, url, region, store, credentials });
  throw new DevLoopError('bucket_refused', `the large files are in the bucket ${url}, and there are no credentials`, {
    data: { url },
    hint: 'Set DEVLOOP_BUCKET_ACCESS_KEY_ID and DEVLOOP_BUCKET_SECRET_ACCESS_KEY in the environment.',
  });
}
