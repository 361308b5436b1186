import { DevLoopError } from '../domain/errors.ts';
import type { ProjectId } from '../domain/ids.ts';
import { isRefusal } from './refusal.ts';

/** Does work on projects off the path of requests: one project at a time, a moment after its last write. */
export class AfterWrites {
  readonly #work: (pid: ProjectId) => Promise<void>;
  readonly #waiting = new Set<ProjectId>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** @param work that is done before it is needed: where it fails, whoever needs it does it again and is told */
  constructor(work: (pid: ProjectId) => Promise<void>) {
    this.#work = work;
  }

  /** Notes that a project was written to. */
  note(pid: ProjectId): void {
    this.#waiting.add(pid);
    this.#schedule();
  }

  /** Does what waits, without further ado. */
  async drain(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#running !== undefined || this.#waiting.size > 0) await (this.#running ?? this.#run());
  }

  /** Forgets what waits. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#run(), DELAY_MS).unref();
  }

  #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = this.#workOnAll().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  async #workOnAll(): Promise<void> {
    for (const pid of this.#waiting) {
      this.#waiting.delete(pid);
      await this.#workWhereSound(pid);
    }
  }

  async #workWhereSound(pid: ProjectId): Promise<void> {
    try {
      await this.#work(pid);
    } catch (error) {
      // The next agent call cannot begin without its mirror, no export without its scan: they meet and tell what is wrong.
      if (!(error instanceof DevLoopError) && !isRefusal(error)) throw error;
    }
  }
}

/** Several writes in a row are worked on at once. */
const DELAY_MS = 1000;
