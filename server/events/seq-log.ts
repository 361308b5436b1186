import { closeSync, constants, openSync } from 'node:fs';
import { type AppendLog, openAppendLog } from '../io/append-log.ts';
import type { LogRecord } from '../io/log-line.ts';
import { type LogEntry, readLog } from '../io/read-log.ts';

/** A record of a numbered log. */
export interface SeqRecord extends LogRecord {
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
}

export interface SeqReader {
  readonly onRecord?: (record: SeqRecord, entry: LogEntry) => void;
  /** Offset of a line from which on all is cut off. */
  readonly cutFrom?: number;
  readonly onTorn?: (bytes: Uint8Array) => void;
}

/** Bytes from one remembered place to the next: what a read from any number on passes over at most. */
const MARK_EVERY = 16_384;

/** An append log whose numbers grow, readable from any number on. Damaged lines, and those whose number does not grow, are passed over. */
export class SeqLog {
  readonly log: AppendLog;
  /** Numbers, from 1, of damaged lines. */
  readonly damaged: readonly number[];
  /** Where some lines begin, each with the number of the record before it. */
  readonly #marks: { readonly after: number; readonly start: number }[] = [];
  #first: number | undefined;
  #last = 0;
  #lastTs = '';

  /** Opens the file, makes it where it is absent, and reads it through. */
  constructor(path: string, { onRecord, ...options }: SeqReader = {}) {
    const onEntry = (entry: LogEntry): void => {
      const record = numbered(entry, this.#last);
      if (record === undefined) return;
      this.#note(record, entry.start);
      onRecord?.(record, entry);
    };
    const { log, damaged } = openAppendLog(path, { ...options, onEntry });
    this.log = log;
    this.damaged = damaged;
  }

  /** Number of the oldest record; undefined where there is none. */
  get first(): number | undefined {
    return this.#first;
  }

  /** Number of the newest record; 0 where there is none. */
  get last(): number {
    return this.#last;
  }

  /** Time of the newest record; empty where there is none. */
  get lastTs(): string {
    return this.#lastTs;
  }

  /** Appends records whose numbers grow, in one write. @returns the lines. */
  append(records: readonly SeqRecord[]): Uint8Array {
    const start = this.log.bytes;
    const lines = this.log.append(records);
    for (const record of records) this.#note(record, start);
    return lines;
  }

  /** The records after a number, oldest first; what is appended while it runs may be among them. */
  *readAfter(seq: number): Generator<SeqRecord> {
    if (seq >= this.#last) return;
    const mark = this.#marks.findLast(({ after }) => after <= seq);
    const fd = openSync(this.log.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      let last = mark?.after ?? 0;
      for (const entry of readLog(fd, { from: mark?.start ?? 0, to: this.log.bytes })) {
        const record = numbered(entry, last);
        if (record === undefined) continue;
        last = record.seq;
        if (record.seq > seq) yield record;
      }
    } finally {
      closeSync(fd);
    }
  }

  #note({ seq, ts }: SeqRecord, start: number): void {
    const mark = this.#marks.at(-1);
    if (mark === undefined || start >= mark.start + MARK_EVERY) this.#marks.push({ after: this.#last, start });
    this.#first ??= seq;
    this.#last = seq;
    this.#lastTs = ts;
  }
}

function numbered({ record }: LogEntry, after: number): SeqRecord | undefined {
  if (record === undefined || typeof record.seq !== 'number' || typeof record.ts !== 'string') return undefined;
  return Number.isSafeInteger(record.seq) && record.seq > after ? (record as SeqRecord) : undefined;
}
