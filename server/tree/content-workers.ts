import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BytePath } from '../domain/byte-path.ts';
import type { Oid } from '../domain/ids.ts';
import type { ContentReply, ContentRequest, WorkerOrders } from './content-messages.ts';
import type { DiskFile } from './disk-tree.ts';
import { type PackedFiles, packFiles, unpackFile } from './packed-files.ts';

export interface WantedFile {
  readonly path: BytePath;
  readonly name: string;
  /** Is given what the file is now, with its id; undefined where it could not be taken and must be looked at again. */
  readonly done: (file: DiskFile | undefined) => void;
}

export interface WantedFiles extends Pick<WorkerOrders, 'root' | 'foreign'> {
  /** Asked for as threads become free: few of them are in memory at a time. */
  readonly files: Iterator<WantedFile>;
  readonly count: number;
  readonly signal?: AbortSignal | undefined;
}

/** Threads that read many files at once, each into a pack of its own. */
export interface ContentWorkers {
  /** Resolves when all files are done. */
  take(wanted: WantedFiles): Promise<void>;
  /** True once files were asked for. */
  readonly used: boolean;
  /** True for contents that were taken. */
  has(oid: Oid): boolean;
  /** Makes what was taken part of the store, durably. Throws what the system refused. */
  finish(): Promise<void>;
  /** Gives up what was taken; after `finish` this does nothing. */
  abort(): Promise<void>;
}

/** Starts nothing before it is needed. @param objects absolute path of a repository's folder `objects` */
export function contentWorkers(options: Pick<WorkerOrders, 'objects' | 'largeBytes'>): ContentWorkers {
  return new Threads(options);
}

const MOST_THREADS = 4;
const BATCH = 64;
const ENTRY = new URL(`content-worker${extname(import.meta.filename)}`, import.meta.url);

class Threads implements ContentWorkers {
  readonly #options: Pick<WorkerOrders, 'objects' | 'largeBytes'>;
  readonly #taken = new Set<Oid>();
  #threads: readonly Thread[] = [];

  constructor(options: Pick<WorkerOrders, 'objects' | 'largeBytes'>) {
    this.#options = options;
  }

  async take({ root, foreign, files, count, signal }: WantedFiles): Promise<void> {
    const threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(count / BATCH));
    this.#threads = Array.from({ length: threads }, () => new Thread({ root, foreign, ...this.#options }));
    const work = async (thread: Thread): Promise<void> => {
      for (let batch = next(files); batch.length > 0; batch = next(files)) {
        signal?.throwIfAborted();
        const taken = await thread.read(batch.map(({ path }) => path));
        for (const [i, { name, done }] of batch.entries()) this.#note(unpackFile(taken, i, name), done);
      }
    };
    // Two batches are on their way to each thread, so that it never waits for the next.
    await Promise.all(this.#threads.flatMap((thread) => [work(thread), work(thread)]));
  }

  #note(file: DiskFile | undefined, done: WantedFile['done']): void {
    if (file?.oid !== undefined) this.#taken.add(file.oid);
    done(file);
  }

  get used(): boolean {
    return this.#threads.length > 0;
  }

  has(oid: Oid): boolean {
    return this.#taken.has(oid);
  }

  async finish(): Promise<void> {
    const threads = this.#threads;
    await Promise.all(threads.map((thread) => thread.finish()));
    this.#threads = [];
  }

  async abort(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    this.#taken.clear();
    await Promise.all(threads.map((thread) => thread.abort()));
  }
}

/** Where this thread has the code it loads from a cache, others do: compiling it takes longer than many a folder, and 25 MB each. */
function compileCache(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

function next(files: Iterator<WantedFile>): readonly WantedFile[] {
  const batch: WantedFile[] = [];
  while (batch.length < BATCH) {
    const { done, value } = files.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
}

type Waiting = { readonly resolve: (reply: ContentReply) => void; readonly reject: (error: Error) => void };

/** One thread; it answers in the order in which it is asked. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  constructor(orders: WorkerOrders) {
    this.#worker = new Worker(ENTRY, {
      env: compileCache(),
      workerData: orders,
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    this.#worker.on('message', (reply: ContentReply) => this.#waiting.shift()?.resolve(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('a thread that reads files has ended')));
  }

  async read(paths: readonly BytePath[]): Promise<PackedFiles> {
    const reply = await this.#ask({ kind: 'read', paths });
    return reply.kind === 'read' ? reply.files : packFiles([]);
  }

  async finish(): Promise<void> {
    await this.#ask({ kind: 'finish' });
    await this.#worker.terminate();
  }

  /** A thread that is dead has nothing to give up but what is swept later. */
  async abort(): Promise<void> {
    if (this.#failure === undefined) await this.#ask({ kind: 'abort' }).catch(() => {});
    await this.#worker.terminate();
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
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
