import type { ProjectId } from './domain/ids.ts';
import type { ProjectStatus } from './domain/project.ts';
import type { HttpServices } from './http/index.ts';
import type { Clock } from './io/clock.ts';
import type { Logger } from './io/logger.ts';
import type { GitVault, Maintained } from './vault/index.ts';

export interface CareParts {
  readonly loop: Pick<HttpServices['loop'], 'list' | 'project'>;
  readonly vault: Pick<GitVault, 'maintain'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Maintains the repositories of projects: each once a day, while it is at rest, and when somebody asks. */
export class ProjectCare {
  readonly #parts: CareParts;
  /** When each was maintained last, by the clock; ms. */
  readonly #done = new Map<ProjectId, number>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: CareParts) {
    this.#parts = parts;
  }

  /** Maintains one now. @throws DevLoopError project_not_found, and what the vault throws */
  async maintain(pid: ProjectId): Promise<Maintained> {
    const { vault, loop, clock } = this.#parts;
    const { status, updated_at } = await loop.project(pid);
    const maintained = await vault.maintain(pid, ENDED.has(status) ? { ended: new Date(updated_at) } : {});
    this.#done.set(pid, clock.now().getTime());
    return maintained;
  }

  /** Begins to look every hour, the first time a while after the start, when there is more to do. */
  start(): void {
    this.#wait(FIRST_MS);
  }

  /** Lets the project that is being maintained come to its end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #wait(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#maintainAll().finally(() => this.#wait(EACH_MS));
    }, ms).unref();
  }

  /** One project after the other: nobody waits for it. */
  async #maintainAll(): Promise<void> {
    try {
      for (const { pid, status } of await this.#parts.loop.list()) {
        if (this.#stopped) return;
        if (status !== 'running' && this.#isDue(pid)) await this.#maintainOne(pid);
      }
    } catch (error) {
      this.#parts.log.warn('projects could not be listed for their care', { error });
    }
  }

  /** What fails is tried again in a day: whoever works on that project is told what is wrong with it. */
  async #maintainOne(pid: ProjectId): Promise<void> {
    try {
      await this.maintain(pid);
    } catch (error) {
      this.#done.set(pid, this.#parts.clock.now().getTime());
      this.#parts.log.warn('a project could not be maintained', { pid, error });
    }
  }

  /** A clock that was set back makes it due. */
  #isDue(pid: ProjectId): boolean {
    const done = this.#done.get(pid);
    return done === undefined || Math.abs(this.#parts.clock.now().getTime() - done) >= DAY_MS;
  }
}

/** What nothing follows any more: shipped work may still get feedback. */
const ENDED: ReadonlySet<ProjectStatus> = new Set(['shipped-final', 'abandoned']);

const FIRST_MS = 10 * 60 * 1000;
const EACH_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
