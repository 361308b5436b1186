import { setTimeout as delay } from 'node:timers/promises';
import { timelineLine } from '../domain/event-wire.ts';
import { type ProjectEvent, STREAM_ONLY } from '../domain/events.ts';
import { hasCode } from '../io/io-error.ts';
import type { LogRecord } from '../io/log-line.ts';
import { Channel, type StreamEvent } from './channel.ts';
import type { Ledger } from './ledger.ts';
import { ledgerFailure } from './ledger-failure.ts';
import { openParts, type Parts, type PartsOptions, STREAM_FILE, setStreamAside } from './open-parts.ts';
import { streamRecord } from './open-stream.ts';
import type { SeqRecord } from './seq-log.ts';

/** What a journal record leaves in the ledgers and on the stream. */
export interface LedgerEntry {
  readonly events: readonly ProjectEvent[];
  readonly source: string;
  readonly changelog?: readonly LogRecord[];
  readonly bugs?: readonly LogRecord[];
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
  /** Names of files that were put right on the way since the last `takeWrong`. */
  readonly #wrong = new Set<string>();
  /** The largest number given out. */
  #last: number;
  #batch: Promise<void> | undefined;
  /** Ends with the last call of `append` so far. */
  #turn: Promise<void> = Promise.resolve();

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

  /** Appends what a journal position caused, durably and once, and sends it; in the order of the calls. */
  async append(position: number, entry: LedgerEntry): Promise<void> {
    const written = this.#turn.then(() => this.#write(position, entry));
    // The next one's turn comes, whatever becomes of this.
    this.#turn = written.catch(() => {});
    try {
      await written;
      await this.#flush();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Sends an event that is kept in stream.log only. */
  publish(event: ProjectEvent): void {
    try {
      this.#send([streamRecord(event, { seq: this.#number(1), ts: this.#now() })]);
      this.#batch ??= this.#flushSoon();
    } catch (error) {
      this.#options.onFailure(this.#failure(error));
    }
  }

  /** Lines of the timeline after a number, oldest first. */
  timeline(after: number, limit: number): readonly SeqRecord[] {
    return this.#ready().timeline.readAfter(after).take(limit).toArray();
  }

  /** Names of the project's files that are not what the server wrote, or were not when it appended to them since the last call. */
  takeWrong(): readonly string[] {
    const wrong = [...new Set([...this.#wrong, ...this.check()])];
    this.#wrong.clear();
    return wrong;
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
    setStreamAside(this.#options);
    this.#broken = true;
    this.#ready();
  }

  /** Makes what is left durable, sends it, and ends every reader. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#batch;
    this.channel.end();
  }

  /** The timeline last, and after the others are durable: its position stands for theirs. */
  async #write(position: number, { events, source, changelog = [], bugs = [] }: LedgerEntry): Promise<void> {
    const ts = this.#now();
    if (changelog.length > 0) await this.#appendDurably(this.#ready().changelog, { lines: changelog, ts, position });
    if (bugs.length > 0) await this.#appendDurably(this.#ready().bugs, { lines: bugs, ts, position });
    const parts = this.#ready();
    if (events.length === 0 || position <= parts.timeline.position) return;
    const first = this.#number(events.length) - events.length + 1;
    const numbered = events.map((event, i) => ({ event, at: { seq: first + i, ts } }));
    const lines = numbered.filter(({ event }) => !STREAM_ONLY.has(event.kind));
    this.#appendTo(parts.timeline, {
      lines: lines.map(({ event, at }) => timelineLine(event, { ...at, source })),
      position,
    });
    this.#send(numbered.map(({ event, at }) => streamRecord(event, at)));
  }

  async #appendDurably(
    ledger: Ledger,
    { lines, ts, position }: { readonly lines: readonly LogRecord[]; readonly ts: string; readonly position: number },
  ): Promise<void> {
    const first = ledger.last + 1;
    this.#appendTo(ledger, { lines: lines.map((line, i) => ({ seq: first + i, ts, ...line })), position });
    await ledger.sync();
  }

  #appendTo(
    ledger: Ledger,
    { lines, position }: { readonly lines: readonly SeqRecord[]; readonly position: number },
  ): void {
    if (!ledger.append(lines, position)) this.#wrong.add(ledger.name);
  }

  #send(records: readonly SeqRecord[]): void {
    let left = records;
    try {
      const { stream } = this.#ready();
      if (!stream.hasLength()) this.#wrong.add(STREAM_FILE);
      stream.append(left);
    } catch (error) {
      const { stream } = this.#putStreamRight(error);
      left = records.filter(({ seq }) => seq > stream.last);
      stream.append(left);
    }
    this.channel.add(left);
  }

  /** Where somebody else changed stream.log, it is made anew from the timeline. */
  #putStreamRight(error: unknown): Parts {
    if (!hasCode(error, 'log_damaged', 'path_refused', 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO')) throw error;
    this.#options.report(`${STREAM_FILE} is not what the server wrote: ${error.message}`);
    setStreamAside(this.#options);
    this.#broken = true;
    return this.#ready();
  }

  async #flush(): Promise<void> {
    const { timeline, stream } = this.#parts;
    const upTo = stream.last;
    const sent = stream.sync().catch((error: unknown) => void this.#putStreamRight(error));
    await Promise.all([timeline.sync(), sent]);
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
    return ledgerFailure(error, this.#options.pid);
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

function itemOf(pid: string, { seq, ts, name, data }: SeqRecord): StreamEvent {
  return { kind: 'event', id: String(seq), name: String(name), data: JSON.stringify({ ...Object(data), pid, ts }) };
}
