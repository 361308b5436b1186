import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';

/** Keeps mirrors up to date off the path of requests: one project at a time, a moment after its last write. */
export class MirrorQueue {
  readonly #sync: (pid: ProjectId) => Promise<void>;
  readonly #waiting = new Set<ProjectId>();
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(sync: (pid: ProjectId) => Promise<void>) {
    this.#sync = sync;
  }

  /** Notes that a project was written to. */
  note(pid: ProjectId): void {
    this.#waiting.add(pid);
    this.#schedule();
  }

  /** Forgets what waits: an agent call waits for its mirror anyway. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #schedule(): void {
    if (this.#running || this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#run(), DELAY_MS).unref();
  }

  async #syncWhereSound(pid: ProjectId): Promise<void> {
    try {
      await this.#sync(pid);
    } catch (error) {
      // The next agent call cannot begin without its mirror, and meets and tells what is wrong.
      if (!(error instanceof DevLoopError) && !isRefusal(error)) throw error;
    }
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    for (const pid of this.#waiting) {
      this.#waiting.delete(pid);
      await this.#syncWhereSound(pid);
    }
    this.#running = false;
    this.#schedule();
  }
}

/** What the system refused: the disk is full, or the project was deleted meanwhile. */
const isRefusal = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Several writes in a row are copied at once. */
const DELAY_MS = 1000;
