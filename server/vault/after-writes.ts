import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';

/** Does work on projects off the path of requests: one project at a time, a moment after its last write. */
export class AfterWrites {
  readonly #work: (pid: ProjectId) => Promise<void>;
  readonly #waiting = new Set<ProjectId>();
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  /** @param work that is done before it is needed: where it fails, whoever needs it does it again and is told */
  constructor(work: (pid: ProjectId) => Promise<void>) {
    this.#work = work;
  }

  /** Notes that a project was written to. */
  note(pid: ProjectId): void {
    this.#waiting.add(pid);
    this.#schedule();
  }

  /** Forgets what waits. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #schedule(): void {
    if (this.#running || this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#run(), DELAY_MS).unref();
  }

  async #workWhereSound(pid: ProjectId): Promise<void> {
    try {
      await this.#work(pid);
    } catch (error) {
      // The next agent call cannot begin without its mirror, no export without its scan: they meet and tell what is wrong.
      if (!(error instanceof DevLoopError) && !isRefusal(error)) throw error;
    }
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    for (const pid of this.#waiting) {
      this.#waiting.delete(pid);
      await this.#workWhereSound(pid);
    }
    this.#running = false;
    this.#schedule();
  }
}

/** What the system refused: the disk is full, or the project was deleted meanwhile. */
const isRefusal = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Several writes in a row are worked on at once. */
const DELAY_MS = 1000;
