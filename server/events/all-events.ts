import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logLine, parseLogLine } from '../io/log-line.ts';
import { makeFolders } from '../io/make-folders.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import { Channel, type StreamEvent } from './channel.ts';
import type { Mirror } from './project-log.ts';
import type { SeqRecord } from './seq-log.ts';
import { type StreamLimits, StreamLog } from './stream-log.ts';

export interface AllEventsOptions {
  /** Absolute path of the folder for its files, data/.devloop/events. */
  readonly folder: string;
  readonly limits: StreamLimits;
  /** Milliseconds. */
  readonly now: () => number;
  /** Is told of a failure that no caller waits for. */
  readonly onFailure: (error: unknown) => void;
}

const BATCH_MS = 25;
/** How many of the newest are looked at to find what a killed server had sent in its projects and not noted here. */
const LOOK_BACK = 2_000;

type Stream = Parameters<Mirror['opened']>[0];

/**
 * The events of all projects in one log, under numbers of its own. Each is noted here after it was sent in its project; what
 * a killed server had sent and not noted is added when its project is opened.
 */
export class AllEvents {
  readonly channel: Channel;
  readonly #options: AllEventsOptions;
  #log: StreamLog;
  #broken = false;
  #batch: Promise<void> | undefined;
  readonly #streams = new Map<string, Stream>();
  /** Number, in its own project, of each project's newest event here. */
  readonly #noted = new Map<string, number>();
  /** Time of the oldest event that was looked back at; undefined where all were. */
  #lookedBackTo: string | undefined;
  /** Projects some of whose events could not be noted. */
  readonly #behind = new Set<string>();

  constructor(options: AllEventsOptions) {
    this.#options = options;
    this.#log = this.#open();
    this.channel = new Channel({ log: () => this.#log, itemOf });
  }

  /** What one project's log tells it. */
  mirrorOf(pid: string): Mirror {
    return {
      opened: (stream) => {
        this.#streams.set(pid, stream);
        this.#attempt(pid, () => this.#catchUp(pid));
      },
      sent: (records) => {
        this.#attempt(pid, () => (this.#behind.has(pid) ? this.#catchUp(pid) : this.#append(pid, records)));
      },
    };
  }

  /** Deletes what is kept of a project's events; their numbers stay taken. */
  forget(pid: string): void {
    this.#broken = true;
    for (const path of this.#log.paths) blankOut(path, pid);
    this.#streams.delete(pid);
    this.#ready();
    this.#noted.delete(pid);
  }

  /** Makes what is left durable, sends it, and ends every reader. */
  async close(): Promise<void> {
    await this.#batch;
    this.channel.end();
  }

  #attempt(pid: string, action: () => void): void {
    try {
      this.#ready();
      action();
      this.#behind.delete(pid);
    } catch (error) {
      this.#behind.add(pid);
      this.#failed(error);
    }
  }

  #catchUp(pid: string): void {
    const stream = this.#streams.get(pid);
    const noted = this.#noted.get(pid);
    if (stream === undefined || stream.last === (noted ?? 0)) return;
    const since = noted === undefined ? this.#lookedBackTo : undefined;
    if (since !== undefined && stream.lastTs <= since) return;
    const missing = stream.readAfter(noted ?? 0);
    this.#append(pid, since === undefined ? [...missing] : [...missing].filter(({ ts }) => ts > since));
  }

  #append(pid: string, records: readonly SeqRecord[]): void {
    const newest = records.at(-1);
    if (newest === undefined) return;
    const first = this.#log.last + 1;
    const noted = records.map(({ seq: of, ts, name, data }, i) => ({ seq: first + i, ts, name, data, pid, of }));
    this.#log.append(noted);
    this.channel.add(noted);
    this.#noted.set(pid, newest.seq);
    this.#batch ??= this.#flushSoon();
  }

  async #flushSoon(): Promise<void> {
    await delay(BATCH_MS);
    this.#batch = undefined;
    const log = this.#log;
    const upTo = log.last;
    try {
      await log.sync();
      if (this.#log === log) this.channel.release(upTo);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#broken = true;
    this.#options.onFailure(error);
  }

  #ready(): void {
    if (!this.#broken) return;
    this.#log = this.#open();
    this.#broken = false;
    for (const pid of this.#streams.keys()) this.#behind.add(pid);
    this.channel.restart();
  }

  #open(): StreamLog {
    const { folder, limits, now } = this.#options;
    const archive = join(folder, 'archive');
    makeFolders(archive);
    const log = new StreamLog({ file: join(folder, 'current.ndjson'), archive }, { limits, now });
    this.#noted.clear();
    this.#lookedBackTo = undefined;
    const from = log.last - LOOK_BACK;
    for (const { ts, pid, of } of log.readAfter(from)) {
      if (from >= log.oldest) this.#lookedBackTo ??= ts;
      if (typeof pid === 'string' && typeof of === 'number') this.#noted.set(pid, of);
    }
    return log;
  }
}

/** Undefined for an event whose project was deleted. */
function itemOf({ seq, ts, name, data, pid }: SeqRecord): StreamEvent | undefined {
  if (pid === undefined) return undefined;
  return { kind: 'event', id: String(seq), name: String(name), data: JSON.stringify({ ...Object(data), pid, ts }) };
}

function blankOut(path: string, pid: string): void {
  // A quote within a text is escaped: only a member can look like this.
  const mark = `"pid":${JSON.stringify(pid)}`;
  const lines = readFileSync(path, 'utf8').split('\n');
  if (!lines.some((line) => line.includes(mark))) return;
  const blank = (line: string): string => {
    const { seq, ts } = parseLogLine(line) ?? {};
    return seq === undefined ? '' : logLine({ seq, ts });
  };
  writeAtomic(path, lines.map((line) => (line.includes(mark) ? blank(line) : line)).join('\n'));
}
