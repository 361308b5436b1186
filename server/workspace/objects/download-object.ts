import { setTimeout as delay } from 'node:timers/promises';
import { DevLoopError, isDevLoopError } from '../../domain/errors.ts';
import type { BucketAnswer, BucketClient } from './bucket-client.ts';
import { bucketIsMissing } from './bucket-failure.ts';
import type { LargeFile } from './large-objects.ts';

export interface Download {
  readonly key: string;
  readonly file: LargeFile;
  readonly signal: AbortSignal | undefined;
}

/** How often a body that breaks off is gone on with. */
const MOST_BREAKS = 20;

/** Gives an object in pieces; goes on where a connection broke off. Throws `store_damaged` where it is not there. */
export async function* downloadObject(client: BucketClient, download: Download): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const chunk of await openAt(client, download, at)) {
        at += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (download.signal?.aborted || isDevLoopError(error)) throw error;
      if (at >= download.file.size) return;
      if (breaks >= MOST_BREAKS) throw brokenOff(download, error);
    }
    await delay(Math.min(1000, 10 * 2 ** breaks));
  }
}

/** The rest of the object from a byte on; its clock runs for as long as it is read. */
async function openAt(
  client: BucketClient,
  { key, file, signal }: Download,
  at: number,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = at === 0 ? {} : { range: `bytes=${at}-` };
  return client.send({ method: 'GET', key, headers, ok: [200, 206, 404], signal }, async (answer) => {
    if (answer.response.status === 404) {
      throw (await bucketIsMissing(answer.response)) ?? missing(file);
    }
    return bodyOf(answer, answer.response.status === 206 ? 0 : at);
  });
}

async function* bodyOf({ response, clock }: BucketAnswer, skip: number): AsyncGenerator<Uint8Array> {
  let left = skip;
  try {
    clock.start();
    for await (const chunk of response.body ?? []) {
      clock.came(chunk.length);
      if (chunk.length > left) yield chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
      clock.start();
    }
  } finally {
    clock.stop();
  }
}

function missing({ sha256, size }: LargeFile): DevLoopError {
  return new DevLoopError('store_damaged', `the content of the large file ${sha256} is not in the bucket`, {
    data: { sha256, size },
    hint: '`devloop protect verify` names the points that need it.',
  });
}

function brokenOff({ key }: Download, cause: unknown): DevLoopError {
  return new DevLoopError('bucket_unreachable', `GET of ${key} breaks off again and again`, { cause });
}
