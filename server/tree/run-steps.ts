import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that the work may hold the event loop at a time. */
const SLICE_MS = 8;

/** Runs stepwise work to its end and lets others run in between. The signal is looked at between steps. */
export async function runSteps<Result>(steps: Generator<undefined, Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    await nextTurn();
  }
}
