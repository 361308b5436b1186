import { setTimeout as delay } from 'node:timers/promises';
import { timelineLine } from '../domain/event-wire.ts';
import { type ProjectEvent, STREAM_ONLY } from '../domain/events.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { Channel, type StreamEvent } from './channel.ts';
import { openParts, type Parts, type PartsOptions, STREAM_FILE } from './open-parts.ts';
import { streamRecord } from './open-stream.ts';
import type { SeqRecord } from './seq-log.ts';
import { moveAside } from './set-aside.ts';

/** What a journal record leaves in the ledgers and on the stream. */
export interface LedgerEntry {
  readonly events: readonly ProjectEvent[];
  readonly source: string;
  readonly changelog?: readonly Readonly<Record<string, unknown>>[];
  readonly bugs?: readonly Readonly<Record<string, unknown>>[];
}

/** Follows the streams of all projects. */
export interface Mirror {
  /** Is given the stream whenever it was opened: all that it holds is durable. */
  opened(stream: {
    readonly last: number;
    /** Time of the newest record, ISO 8601; empty where there is none. */
    readonly lastTs: string;
    readAfter(seq: number): Iterable<SeqRecord>;
  }): void;
  /** Is given what readers were given, in order. */
  sent(records: readonly SeqRecord[]): void;
}

export interface ProjectLogOptions extends Omit<PartsOptions, 'now'> {
  readonly pid: string;
  readonly clock: { now(): Date };
  readonly mirror: Mirror;
  /** Is told of a failure that no caller waits for. */
  readonly onFailure: (error: unknown) => void;
}

/** Events that are kept in stream.log only are made durable, and sent, together. */
const BATCH_MS = 25;

/**
 * The ledgers and the stream of one project. Everything is written at once and in order, made durable, and only then sent:
 * what a reader has seen is on the disk. After a failure the files are opened anew before anything else is done.
 */
export class ProjectLog {
  readonly channel: Channel;
  readonly #options: ProjectLogOptions;
  #parts: Parts;
  #broken = false;
  /** The largest number given out. */
  #last: number;
  #batch: Promise<void> | undefined;

  constructor(options: ProjectLogOptions) {
    this.#options = options;
    this.#parts = this.#open();
    this.#last = this.#parts.last;
    this.channel = new Channel({ log: () => this.#parts.stream, itemOf: (record) => itemOf(options.pid, record) });
  }

  /** The last journal position that is in the timeline; 0 where there is none. */
  get position(): number {
    return this.#ready().timeline.position;
  }

  /** Appends what a journal position caused, durably and once, and sends it. */
  async append(position: number, entry: LedgerEntry): Promise<void> {
    try {
      this.#write(position, entry);
      await this.#flush();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Sends an event that is kept in stream.log only. */
  publish(event: ProjectEvent): void {
    try {
      this.#send(this.#ready(), [streamRecord(event, { seq: this.#number(1), ts: this.#now() })]);
      this.#batch ??= this.#flushSoon();
    } catch (error) {
      this.#options.onFailure(this.#failure(error));
    }
  }

  /** Lines of the timeline after a number, oldest first. */
  timeline(after: number, limit: number): readonly SeqRecord[] {
    return this.#ready().timeline.readAfter(after).take(limit).toArray();
  }

  /** Names of the project's files that are not what the server wrote. */
  check(): readonly string[] {
    const { timeline, bugs, changelog, stream } = this.#ready();
    const wrong = [timeline, bugs, changelog].filter((ledger) => !ledger.check()).map(({ name }) => name);
    return stream.check() ? wrong : [...wrong, STREAM_FILE];
  }

  /** Puts the server's lines back; what else was there is set aside, and reported. */
  repair(): void {
    const { timeline, bugs, changelog, stream } = this.#ready();
    for (const ledger of [timeline, bugs, changelog]) ledger.makeTrue();
    if (stream.check()) return;
    const { root, state } = this.#options;
    if (stream.exists())
      this.#options.report(`${STREAM_FILE}: moved to ${moveAside({ name: STREAM_FILE, root, state })}`);
    this.#broken = true;
    this.#ready();
  }

  /** Makes what is left durable, sends it, and ends every reader. */
  async close(): Promise<void> {
    await this.#batch;
    this.channel.end();
  }

  #write(position: number, { events, source, changelog = [], bugs = [] }: LedgerEntry): void {
    const parts = this.#ready();
    const ts = this.#now();
    for (const [ledger, lines] of [
      [parts.changelog, changelog],
      [parts.bugs, bugs],
    ] as const)
      ledger.append(
        lines.map((line, i) => ({ seq: ledger.last + 1 + i, ts, ...line })),
        position,
      );
    if (events.length === 0 || position <= parts.timeline.position) return;
    const first = this.#number(events.length) - events.length + 1;
    const numbered = events.map((event, i) => ({ event, seq: first + i }));
    const kept = numbered.filter(({ event }) => !STREAM_ONLY.has(event.kind));
    parts.timeline.append(
      kept.map(({ event, seq }) => timelineLine(event, { seq, ts, source })),
      position,
    );
    this.#send(
      parts,
      numbered.map(({ event, seq }) => streamRecord(event, { seq, ts })),
    );
  }

  #send(parts: Parts, records: readonly SeqRecord[]): void {
    parts.stream.append(records);
    this.channel.add(records);
  }

  async #flush(): Promise<void> {
    const { timeline, bugs, changelog, stream } = this.#parts;
    const upTo = stream.last;
    await Promise.all([timeline, bugs, changelog, stream].map((log) => log.sync()));
    if (this.#parts.stream === stream) this.#options.mirror.sent(this.channel.release(upTo));
  }

  async #flushSoon(): Promise<void> {
    await delay(BATCH_MS);
    this.#batch = undefined;
    try {
      await this.#flush();
    } catch (error) {
      this.#options.onFailure(this.#failure(error));
    }
  }

  /** Gives out numbers; one is never given out twice. @returns the last of them. */
  #number(count: number): number {
    this.#parts.sequence.reserve(this.#last + count);
    this.#last += count;
    return this.#last;
  }

  #ready(): Parts {
    if (!this.#broken) return this.#parts;
    this.#parts = this.#open();
    this.#broken = false;
    this.#last = Math.max(this.#last, this.#parts.last);
    this.channel.restart();
    return this.#parts;
  }

  #open(): Parts {
    const { clock, mirror } = this.#options;
    const parts = openParts({ ...this.#options, now: () => clock.now().getTime() });
    mirror.opened(parts.stream);
    return parts;
  }

  #failure(error: unknown): unknown {
    this.#broken = true;
    const { pid } = this.#options;
    return systemRefusal(error, { doing: `writing the events of project ${pid}`, data: { pid } });
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

function itemOf(pid: string, { seq, ts, name, data }: SeqRecord): StreamEvent {
  return { kind: 'event', id: String(seq), name: String(name), data: JSON.stringify({ ...Object(data), pid, ts }) };
}
