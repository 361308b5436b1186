import { availableParallelism } from 'node:os';
import type { BytePath } from '../domain/byte-path.ts';
import type { Oid } from '../domain/ids.ts';
import { allEnded } from '../io/all-ended.ts';
import type { WorkerOrders } from './content-messages.ts';
import { type ContentThread, hasRestingThread, takeThread } from './content-thread.ts';
import type { DiskFile } from './disk-tree.ts';
import { unpackFile } from './packed-files.ts';

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
  /** True where threads take so much sooner than this one does. */
  isWorth(amount: { readonly count: number; readonly bytes: number }): boolean;
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
/** From here on threads are worth their start, or, where they wait for work, a pack of their own: files, or bytes of them. */
const MANY = {
  cold: { count: 1200, bytes: 12 * 1024 * 1024 },
  warm: { count: 400, bytes: 6 * 1024 * 1024 },
} as const;

class Threads implements ContentWorkers {
  readonly #options: Pick<WorkerOrders, 'objects' | 'largeBytes'>;
  readonly #taken = new Set<Oid>();
  readonly #threads = new Set<ContentThread>();

  constructor(options: Pick<WorkerOrders, 'objects' | 'largeBytes'>) {
    this.#options = options;
  }

  isWorth({ count, bytes }: { readonly count: number; readonly bytes: number }): boolean {
    const many = hasRestingThread() ? MANY.warm : MANY.cold;
    return count >= many.count || bytes >= many.bytes;
  }

  async take({ root, foreign, files, count, signal }: WantedFiles): Promise<void> {
    const failed = new AbortController();
    const ends = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
    const work = async (thread: ContentThread): Promise<void> => {
      for (let batch = next(files); batch.length > 0; batch = next(files)) {
        ends.throwIfAborted();
        const taken = await thread.read(batch.map(({ path }) => path));
        for (const [i, { name, done }] of batch.entries()) this.#note(unpackFile(taken, i, name), done);
      }
    };
    const begin = async (): Promise<void> => {
      const thread = takeThread();
      this.#threads.add(thread);
      await thread.begin({ root, foreign, ...this.#options });
      // Two batches are on their way to each thread, so that it never waits for the next.
      await allEnded([work(thread), work(thread)]);
    };
    const threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(count / BATCH));
    // A thread that is given back must not be asked any more.
    await allEnded(
      Array.from({ length: threads }, () =>
        begin().catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      ),
    );
  }

  #note(file: DiskFile | undefined, done: WantedFile['done']): void {
    if (file?.oid !== undefined) this.#taken.add(file.oid);
    done(file);
  }

  get used(): boolean {
    return this.#threads.size > 0;
  }

  has(oid: Oid): boolean {
    return this.#taken.has(oid);
  }

  async finish(): Promise<void> {
    await allEnded(
      [...this.#threads].map(async (thread) => {
        await thread.finish();
        // It may have other work by now.
        this.#threads.delete(thread);
      }),
    );
  }

  async abort(): Promise<void> {
    const threads = [...this.#threads];
    this.#threads.clear();
    this.#taken.clear();
    await Promise.all(threads.map((thread) => thread.abort()));
  }
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
