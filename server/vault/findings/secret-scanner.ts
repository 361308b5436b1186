import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ContentFinding } from './scan-content.ts';

export interface ScanRequest {
  readonly content: Uint8Array;
  /** Of the file, with its dot. */
  readonly ext: string;
}

export interface ScanReply {
  readonly findings: readonly ContentFinding[];
}

export type ScanOutcome =
  | { readonly kind: 'scanned'; readonly findings: readonly ContentFinding[] }
  | { readonly kind: 'out_of_time' }
  /** The worker came to its end over it. */
  | { readonly kind: 'failed' };

/** Looks for secrets in a thread of its own, one content at a time. The thread is started when it is needed, and ends after a rest. */
export class SecretScanner {
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | undefined;

  /** Looks at one content, for so long at most; `ms` of the outcome is what it took. */
  scan(request: ScanRequest, most_ms: number): Promise<ScanOutcome & { readonly ms: number }> {
    const turn = this.#last.then(() => this.#scan(request, most_ms));
    this.#last = turn.catch(() => {});
    return turn;
  }

  close(): void {
    clearTimeout(this.#rest);
    void this.#worker?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    this.#worker = undefined;
  }

  async #scan({ content, ext }: ScanRequest, most_ms: number): Promise<ScanOutcome & { readonly ms: number }> {
    clearTimeout(this.#rest);
    const worker = await this.#started();
    worker.ref();
    const begun = performance.now();
    // Only a copy can be given away, and only what is given away is not copied with all that its buffer holds.
    const own = new Uint8Array(content);
    worker.postMessage({ content: own, ext } satisfies ScanRequest, [own.buffer]);
    const outcome = await answer(worker, most_ms);
    if (outcome.kind === 'scanned') this.#restSoon(worker);
    else this.close();
    return { ...outcome, ms: performance.now() - begun };
  }

  async #started(): Promise<Worker> {
    this.#worker ??= startWorker();
    try {
      return await this.#worker;
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }

  #restSoon(worker: Worker): void {
    worker.unref();
    this.#rest = setTimeout(() => this.close(), REST_MS).unref();
  }
}

const REST_MS = 10_000;
const WORKER = new URL(`scan-worker${extname(import.meta.filename)}`, import.meta.url);

async function startWorker(): Promise<Worker> {
  const worker = new Worker(WORKER, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  await once(worker, 'message');
  // Whoever waits for an answer is told by the exit that follows.
  worker.on('error', () => {});
  return worker;
}

function answer(worker: Worker, most_ms: number): Promise<ScanOutcome> {
  return new Promise((resolve) => {
    const onMessage = ({ findings }: ScanReply) => end({ kind: 'scanned', findings });
    const onExit = () => end({ kind: 'failed' });
    const end = (outcome: ScanOutcome) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(outcome);
    };
    const timer = setTimeout(end, most_ms, { kind: 'out_of_time' });
    worker.on('message', onMessage).on('exit', onExit);
  });
}
