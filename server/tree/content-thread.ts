import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BytePath } from '../domain/byte-path.ts';
import type { ContentReply, ContentRequest, WorkerOrders } from './content-messages.ts';
import { type PackedFiles, packFiles } from './packed-files.ts';

/** Reads files into a pack of its own, in a thread; answers in the order in which it is asked. */
export interface ContentThread {
  /** Comes first. Throws what the system refused, as all do. */
  begin(orders: WorkerOrders): Promise<void>;
  read(paths: readonly BytePath[]): Promise<PackedFiles>;
  /** Makes what was read part of the store, durably. The thread waits for other work. */
  finish(): Promise<void>;
  /** Gives up what was read; one that has failed leaves what is swept later. */
  abort(): Promise<void>;
}

/** A thread that waits for work, or a new one. */
export function takeThread(): ContentThread {
  const [thread = new Thread()] = resting;
  thread.wake();
  return thread;
}

export const hasRestingThread = (): boolean => resting.size > 0;

/** A start takes as long as some hundred files, and a thread that waits keeps 10 MB; ms. */
const REST_MS = 300_000;
/** A thread that has read more is not kept: what it knew of them stays in its memory for as long as it does nothing; files. */
const MOST_READ = 20_000;
const ENTRY = new URL(`content-worker${extname(import.meta.filename)}`, import.meta.url);

const resting = new Set<Thread>();

/** Where this thread has the code it loads from a cache, others do: compiling it takes longer than many a folder, and 25 MB each. */
function compileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

type Waiting = { readonly resolve: (reply: ContentReply) => void; readonly reject: (error: Error) => void };

class Thread implements ContentThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;
  #rest: NodeJS.Timeout | undefined;
  #read = 0;

  constructor() {
    this.#worker = new Worker(ENTRY, { env: compileCache(), resourceLimits: { maxYoungGenerationSizeMb: 1 } });
    this.#worker.on('message', (reply: ContentReply) => this.#waiting.shift()?.resolve(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a thread that reads files has ended')));
  }

  /** While it works, the process lives. */
  wake(): void {
    resting.delete(this);
    clearTimeout(this.#rest);
    this.#worker.ref();
  }

  async begin(orders: WorkerOrders): Promise<void> {
    await this.#ask({ kind: 'begin', orders });
  }

  async read(paths: readonly BytePath[]): Promise<PackedFiles> {
    this.#read += paths.length;
    const reply = await this.#ask({ kind: 'read', paths });
    return reply.kind === 'read' ? reply.files : packFiles([]);
  }

  async finish(): Promise<void> {
    await this.#ask({ kind: 'finish' });
    await this.#sleep();
  }

  async abort(): Promise<void> {
    if (this.#failure === undefined) await this.#ask({ kind: 'abort' }).catch((error: Error) => this.#fail(error));
    await this.#sleep();
  }

  async #sleep(): Promise<void> {
    if (this.#failure !== undefined || this.#read > MOST_READ) {
      await this.#worker.terminate();
      return;
    }
    this.#read = 0;
    resting.add(this);
    this.#worker.unref();
    this.#rest = setTimeout(() => {
      resting.delete(this);
      void this.#worker.terminate();
    }, REST_MS).unref();
  }

  async #ask(request: ContentRequest): Promise<ContentReply> {
    const reply = await new Promise<ContentReply>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
    if (reply.kind !== 'failed') return reply;
    throw Object.assign(new Error(reply.message), reply.code !== undefined && { code: reply.code });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    resting.delete(this);
    clearTimeout(this.#rest);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
