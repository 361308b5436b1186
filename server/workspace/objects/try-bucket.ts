import { createHash, randomBytes } from 'node:crypto';
import { DevLoopError, isDevLoopError } from '../../domain/errors.ts';
import { type BucketAccess, openBucket } from './open-objects.ts';

/** Where objects go that are made to try a bucket; no workspace has it. */
const STORE = 'probe';

/**
 * Puts a small object into a bucket, finds it in a listing, reads it, and removes it.
 * @returns the step that failed with the reason; undefined where all went well
 */
export async function tryBucket(
  access: BucketAccess & { readonly url: string },
): Promise<{ readonly step: string; readonly error: DevLoopError } | undefined> {
  const bytes = randomBytes(1024);
  const file = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  let step = 'opening it';
  try {
    const bucket = openBucket({ kind: 'bucket', url: access.url, region: access.region, store: STORE }, access);
    step = 'putting an object';
    await bucket.put(file, onePiece(bytes));
    step = 'reading it back';
    for await (const _ of bucket.read(file));
    step = 'listing';
    let seen = false;
    for await (const { sha256 } of bucket.list()) seen ||= sha256 === file.sha256;
    step = 'removing it';
    await bucket.remove(file.sha256);
    if (seen) return undefined;
    const error = new DevLoopError('bucket_refused', 'the bucket does not list what it has');
    return { step: 'listing', error };
  } catch (error) {
    if (isDevLoopError(error, 'bucket_refused', 'bucket_unreachable', 'store_damaged')) return { step, error };
    throw error;
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
