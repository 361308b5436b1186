import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hasCode } from '../io/io-error.ts';
import { type ContentDiff, type DiffRequest, opaque, textDiff } from './text-diff.ts';

/** Bytes of both sides that are compared where they are: less than a thread takes to start. */
const SMALL = 64 * 1024;
const WORKER = new URL(`text-worker${extname(import.meta.filename)}`, import.meta.url);
/** For the thread's start, and for what is done outside of the search; milliseconds. */
const AROUND_MS = 5_000;
const HEAP_MB = 512;

/** Compares two contents line by line, large ones in a thread of their own: whoever serves others goes on with it. */
export async function textDiffApart(request: DiffRequest, signal?: AbortSignal): Promise<ContentDiff> {
  const { from, to, timeout_ms = 2000 } = request;
  if ((from?.length ?? 0) + (to?.length ?? 0) <= SMALL) return textDiff(request);
  signal?.throwIfAborted();
  const clock = AbortSignal.timeout(timeout_ms + AROUND_MS);
  const worker = new Worker(WORKER, {
    workerData: request,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  try {
    const [diff] = await once(worker, 'message', { signal: signal ? AbortSignal.any([signal, clock]) : clock });
    return diff as ContentDiff;
  } catch (error) {
    signal?.throwIfAborted();
    if (clock.aborted || hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) return opaque('too_different', from, to);
    throw error;
  } finally {
    await worker.terminate();
  }
}
