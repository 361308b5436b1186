import { parentPort } from 'node:worker_threads';
import { type ContentFinding, scanContents } from './scan-content.ts';
import type { ScanReply, ScanRequest } from './secret-scanner.ts';

/** So much is looked at before the time is: bytes, unless one content is larger. */
const STEP_BYTES = 128 * 1024;

// One request is answered at a time; the first message says that all is loaded.
parentPort?.on('message', async ({ bytes, lengths, most_ms }: ScanRequest) => {
  const end = performance.now() + most_ms;
  const findings: (readonly ContentFinding[])[] = [];
  for (const step of stepsOf(bytes, lengths)) {
    if (findings.length > 0 && performance.now() >= end) break;
    findings.push(...(await scanContents(step)));
  }
  parentPort?.postMessage({ findings } satisfies ScanReply);
});
parentPort?.postMessage({ findings: [] } satisfies ScanReply);

function* stepsOf(bytes: Uint8Array, lengths: readonly number[]): Generator<readonly Uint8Array[]> {
  let step: Uint8Array[] = [];
  let [start, at] = [0, 0];
  for (const length of lengths) {
    if (step.length > 0 && at + length - start > STEP_BYTES) {
      yield step;
      [step, start] = [[], at];
    }
    step.push(bytes.subarray(at, at + length));
    at += length;
  }
  if (step.length > 0) yield step;
}
