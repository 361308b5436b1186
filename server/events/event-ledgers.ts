import { join } from 'node:path';
import type { TimelineLine } from '../domain/event-wire.ts';
import type { ProjectEvent } from '../domain/events.ts';
import type { ProjectId } from '../domain/ids.ts';
import { AllEvents } from './all-events.ts';
import type { FollowFrom, StreamItem } from './channel.ts';
import type { Locate } from './file-journal.ts';
import { ledgerFailure } from './ledger-failure.ts';
import { type LedgerEntry, ProjectLog, type ProjectLogOptions } from './project-log.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream-log.ts';

export interface EventLedgersOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  readonly locate: Locate;
  readonly clock: { now(): Date };
  readonly log: { warn(message: string, data?: Readonly<Record<string, unknown>>): void };
  readonly limits?: StreamLimits;
}

interface Opened {
  readonly log: ProjectLog;
  /** What was set aside when it was opened. */
  readonly repaired: readonly string[];
}

/** The ledgers of all projects, and the streams that are told of them. A project is opened when it is first asked for. */
export class EventLedgers {
  readonly #options: EventLedgersOptions;
  readonly #opened = new Map<ProjectId, Promise<Opened>>();
  /** Those of `#opened` that are there at once. */
  readonly #ready = new Map<ProjectId, ProjectLog>();
  readonly #all: AllEvents;

  constructor(options: EventLedgersOptions) {
    this.#options = options;
    this.#all = new AllEvents({
      folder: join(options.dataDir, '.devloop', 'events'),
      limits: options.limits ?? STREAM_LIMITS,
      now: () => options.clock.now().getTime(),
      onFailure: (error) => options.log.warn('events were not noted for the stream of all projects', { error }),
    });
  }

  /** Opens a project's ledgers; says what was set aside. */
  async open(pid: ProjectId): Promise<{ readonly repaired: readonly string[] }> {
    const { repaired } = await this.#open(pid);
    return { repaired };
  }

  /** Makes durable what is left, ends the readers, and forgets the project until it is asked for again. */
  async close(pid: ProjectId): Promise<void> {
    // Where it could not be opened, whoever asked was told.
    const log = await this.#opened.get(pid)?.then(
      (opened) => opened.log,
      () => undefined,
    );
    this.#opened.delete(pid);
    this.#ready.delete(pid);
    await log?.close();
  }

  /** Closes every project and the stream of all. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((pid) => this.close(pid)));
    await this.#all.close();
  }

  /** Deletes what is kept of a project outside of its folders, after it was closed. */
  forget(pid: ProjectId): void {
    this.#all.forget(pid);
  }

  async position(pid: ProjectId): Promise<number> {
    return (await this.#log(pid)).position;
  }

  /** Appends in order, durably, then sends. What a position at or below the last one caused is there already. */
  async append(pid: ProjectId, position: number, entry: LedgerEntry): Promise<void> {
    await (await this.#log(pid)).append(position, entry);
  }

  /** Sends an event that is kept in stream.log only. */
  publish(pid: ProjectId, event: ProjectEvent): void {
    const log = this.#ready.get(pid);
    if (log !== undefined) {
      log.publish(event);
      return;
    }
    this.#log(pid).then(
      (opened) => opened.publish(event),
      (error: unknown) => this.#warn(pid, error),
    );
  }

  /** Names of a project's files that are not what the server wrote. */
  async check(pid: ProjectId): Promise<readonly string[]> {
    return (await this.#log(pid)).check();
  }

  /**
   * Puts the server's lines back; what else was there is kept, and said in the log.
   * @returns names of the files that are not what the server wrote, or were not when it wrote to them since the last call
   */
  async repair(pid: ProjectId): Promise<readonly string[]> {
    const log = await this.#log(pid);
    const wrong = log.takeWrong();
    if (wrong.length > 0) log.repair();
    return wrong;
  }

  /** Replays what is kept after an id, then follows; without one it follows from now. */
  async follow(pid: ProjectId, from: FollowFrom): Promise<AsyncGenerator<readonly StreamItem[], void, undefined>> {
    return (await this.#log(pid)).channel.follow(from);
  }

  /** The same for all projects, with ids of its own. */
  followAll(from: FollowFrom): AsyncGenerator<readonly StreamItem[], void, undefined> {
    return this.#all.channel.follow(from);
  }

  /** Lines of the timeline after a number, oldest first. */
  async timeline(
    pid: ProjectId,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly TimelineLine[]> {
    const lines = (await this.#log(pid)).timeline(after, limit);
    return lines.map(({ pos: _pos, ...line }) => line as unknown as TimelineLine);
  }

  async #log(pid: ProjectId): Promise<ProjectLog> {
    return this.#ready.get(pid) ?? (await this.#open(pid)).log;
  }

  #open(pid: ProjectId): Promise<Opened> {
    const known = this.#opened.get(pid);
    if (known !== undefined) return known;
    const opened = this.#openNew(pid);
    this.#opened.set(pid, opened);
    opened.catch(() => this.#opened.delete(pid));
    return opened;
  }

  async #openNew(pid: ProjectId): Promise<Opened> {
    const { root, state } = await this.#options.locate(pid);
    const repaired: string[] = [];
    const log = openProjectLog({
      ...{ pid, root, state, clock: this.#options.clock, limits: this.#options.limits ?? STREAM_LIMITS },
      mirror: this.#all.mirrorOf(pid),
      report: (what) => {
        repaired.push(what);
        this.#options.log.warn('a ledger was put right', { pid, what });
      },
      onFailure: (error) => this.#warn(pid, error),
    });
    this.#ready.set(pid, log);
    return { log, repaired: [...repaired] };
  }

  #warn(pid: ProjectId, error: unknown): void {
    this.#options.log.warn('events of a project were not kept', { pid, error });
  }
}

function openProjectLog(options: ProjectLogOptions): ProjectLog {
  try {
    return new ProjectLog(options);
  } catch (error) {
    throw ledgerFailure(error, options.pid);
  }
}
