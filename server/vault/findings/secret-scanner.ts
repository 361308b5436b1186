import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ContentFinding } from './scan-content.ts';

export interface ScanRequest {
  /** The contents, one after the other. */
  readonly bytes: Uint8Array;
  readonly lengths: readonly number[];
  readonly most_ms: number;
}

export interface ScanReply {
  /** Of each content; fewer than were asked for where the time did not suffice. */
  readonly findings: readonly (readonly ContentFinding[])[];
}

/** What became of a scan, and what it took; milliseconds. */
export type ScanOutcome = { readonly ms: number } & (
  | ({ readonly kind: 'scanned' } & ScanReply)
  /** One content alone took too long; the others were not looked at. */
  | { readonly kind: 'out_of_time' }
  /** The thread came to its end over them. */
  | { readonly kind: 'failed' }
);

/** Looks for secrets in a thread of its own, one request at a time. The thread is started when it is needed, and ends after a rest. */
export class SecretScanner {
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | undefined;

  /** Looks at contents, in their order, for so long. */
  scan(contents: readonly Uint8Array[], most_ms: number): Promise<ScanOutcome> {
    const turn = this.#last.then(() => this.#scan(contents, most_ms));
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

  async #scan(contents: readonly Uint8Array[], most_ms: number): Promise<ScanOutcome> {
    clearTimeout(this.#rest);
    const worker = await this.#started();
    worker.ref();
    const begun = performance.now();
    const bytes = new Uint8Array(Buffer.concat(contents));
    const request: ScanRequest = { bytes, lengths: contents.map(({ length }) => length), most_ms };
    worker.postMessage(request, [bytes.buffer]);
    const outcome = await answer(worker, most_ms + SLACK_MS);
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
/** The thread looks at the time between contents only. */
const SLACK_MS = 2000;
const WORKER = new URL(`scan-worker${extname(import.meta.filename)}`, import.meta.url);

async function startWorker(): Promise<Worker> {
  const worker = new Worker(WORKER, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });
  await once(worker, 'message');
  // Whoever waits for an answer is told by the exit that follows.
  worker.on('error', () => {});
  return worker;
}

type Answer = ({ readonly kind: 'scanned' } & ScanReply) | { readonly kind: 'out_of_time' | 'failed' };

function answer(worker: Worker, most_ms: number): Promise<Answer> {
  return new Promise((resolve) => {
    const onMessage = (reply: ScanReply) => end({ kind: 'scanned', ...reply });
    const onExit = () => end({ kind: 'failed' });
    const end = (outcome: Answer) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(outcome);
    };
    const timer = setTimeout(() => end({ kind: 'out_of_time' }), most_ms);
    worker.on('message', onMessage).on('exit', onExit);
  });
}
