import { randomBytes } from 'node:crypto';
import { DevLoopError } from '../domain/errors.ts';
import type { BucketPlace, ObjectTarget } from '../domain/point.ts';
import type { ObjectPlace } from './objects/large-objects.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** A place of its own for a workspace's large files: its folder, or a new part of the person's bucket. Throws `config_invalid`. */
export function newPlace(target: ObjectTarget, options: Pick<WorkspaceOptions, 'bucket'>): ObjectPlace {
  if (target === 'folder') return undefined;
  const { url, region = '' } = options.bucket ?? {};
  if (url !== undefined) return { kind: 'bucket', url, region, store: randomBytes(16).toString('hex') };
  throw new DevLoopError('config_invalid', 'there is no bucket to keep large files in', {
    data: { faults: [{ setting: 'bucket_url', where: 'default', message: 'is not set' }] },
    hint: 'Set DEVLOOP_BUCKET_URL, and the credentials in the environment.',
  });
}

/** True where two descriptions are of one bucket, whichever part of it. */
export function sameBucket(a: ObjectPlace, b: ObjectPlace): boolean {
  return a?.url === b?.url && a?.region === b?.region;
}

export function samePlace(a: ObjectPlace, b: ObjectPlace): boolean {
  return a?.store === b?.store && sameBucket(a, b);
}

/** A place for people. */
export function placeText(place: BucketPlace | undefined): { readonly kind: ObjectTarget; readonly url?: string } {
  return place === undefined ? { kind: 'folder' } : { kind: 'bucket', url: place.url };
}
