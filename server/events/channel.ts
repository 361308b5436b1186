import { DevLoopError } from '../domain/errors.ts';
import type { SeqRecord } from './seq-log.ts';
import type { StreamLog } from './stream-log.ts';

/** One event as it goes on the stream. The object is shared by all readers of it. */
export interface StreamEvent {
  readonly kind: 'event';
  readonly id: string;
  /** The name on the stream, as `git.committed`. */
  readonly name: string;
  /** One line of JSON. */
  readonly data: string;
}

/** What came before `oldest` is not kept any more, or the reader's number is unknown. */
export interface StreamReset {
  readonly kind: 'reset';
  readonly oldest: string;
}

export type StreamItem = StreamEvent | StreamReset;

export interface FollowFrom {
  /** Id of the last event that the reader has; it follows from now where absent. */
  readonly after?: string;
  readonly signal: AbortSignal;
}

export interface ChannelOptions {
  /** The log may be opened anew meanwhile. */
  readonly log: () => StreamLog;
  /** Undefined for a record that is not to be sent. */
  readonly itemOf: (record: SeqRecord) => StreamEvent | undefined;
}

interface Batch {
  readonly items: readonly StreamItem[];
  /** Number up to which the reader has everything then. */
  readonly last: number;
}

interface Sent {
  readonly seq: number;
  readonly item: StreamEvent | undefined;
}

/** What is held for readers that keep up; the others read the log. */
const RECENT_ITEMS = 512;
const RECENT_CHARACTERS = 1_000_000;
const BATCH_ITEMS = 256;
const BATCH_CHARACTERS = 256_000;

/** Sends what a stream log holds: to each reader what it missed, then what comes, in order, without a gap and nothing twice. */
export class Channel {
  readonly #options: ChannelOptions;
  /** Number up to which readers may know. */
  #released: number;
  /** Appended, and not known to be durable yet. */
  #pending: SeqRecord[] = [];
  /** All that was released after `#recentAfter`. */
  #recent: Sent[] = [];
  #recentAfter: number;
  #characters = 0;
  /** One for each reader, for as long as it follows: waking one that does not wait does nothing. */
  readonly #readers = new Set<() => void>();
  /** What was taken last, by where from: readers that keep up take the same. */
  #taken: { readonly from: number; readonly upTo: number; readonly batch: Batch } | undefined;
  #ended = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#released = options.log().last;
    this.#recentAfter = this.#released;
  }

  /** Takes records that were appended to the log, to be released when they are durable. */
  add(records: readonly SeqRecord[]): void {
    this.#pending.push(...records);
  }

  /** Lets readers have what is durable: all up to a number. @returns what they had not been given before. */
  release(upTo: number): readonly SeqRecord[] {
    const later = this.#pending.findIndex(({ seq }) => seq > upTo);
    const ready = this.#pending.splice(0, later < 0 ? this.#pending.length : later);
    if (ready.length === 0) return ready;
    for (const record of ready) this.#remember({ seq: record.seq, item: this.#options.itemOf(record) });
    this.#released = upTo;
    this.#wake();
    return ready;
  }

  /** Takes the log as it is, after it was opened anew: all that it holds is durable. */
  restart(): void {
    this.#pending = [];
    this.#recent = [];
    this.#characters = 0;
    this.#released = this.#options.log().last;
    this.#recentAfter = this.#released;
    this.#taken = undefined;
    this.#wake();
  }

  /** Replays what came after an id, then follows until the signal or the end. A pull takes what has come since the last one. */
  async *follow({ after, signal }: FollowFrom): AsyncGenerator<readonly StreamItem[], void, undefined> {
    let position = after === undefined ? this.#released : parsePosition(after);
    let wake: (() => void) | undefined;
    const waker = (): void => wake?.();
    this.#readers.add(waker);
    signal.addEventListener('abort', waker);
    try {
      for (;;) {
        while (position === this.#released && !this.#ended && !signal.aborted) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (signal.aborted || position === this.#released) return;
        const batch = this.#take(position);
        position = batch.last;
        if (batch.items.length > 0) yield batch.items;
      }
    } finally {
      this.#readers.delete(waker);
      signal.removeEventListener('abort', waker);
    }
  }

  /** Ends every reader, when it has what was released. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #take(position: number): Batch {
    const { oldest } = this.#options.log();
    if (position > this.#released || position < oldest - 1) return resetTo(oldest);
    if (position < this.#recentAfter) return this.#read(position);
    if (this.#taken?.from !== position || this.#taken.upTo !== this.#released) {
      const from = this.#recent.findLastIndex(({ seq }) => seq <= position) + 1;
      const batch = batchOf(this.#recent.slice(from, from + BATCH_ITEMS), this.#released);
      this.#taken = { from: position, upTo: this.#released, batch };
    }
    return this.#taken.batch;
  }

  /** For a reader that is behind what is remembered. */
  #read(position: number): Batch {
    const sent: Sent[] = [];
    let characters = 0;
    for (const record of this.#options.log().readAfter(position)) {
      if (record.seq > this.#released) break;
      const item = this.#options.itemOf(record);
      sent.push({ seq: record.seq, item });
      characters += item?.data.length ?? 0;
      if (sent.length === BATCH_ITEMS || characters > BATCH_CHARACTERS) break;
    }
    // Only where the file is not what it was: what follows is remembered still.
    return sent.length === 0 ? resetTo(this.#recentAfter + 1) : batchOf(sent, this.#released);
  }

  #remember(sent: Sent): void {
    this.#recent.push(sent);
    this.#characters += sent.item?.data.length ?? 0;
    while (this.#recent.length > RECENT_ITEMS || this.#characters > RECENT_CHARACTERS) {
      const oldest = this.#recent.shift();
      if (oldest === undefined) return;
      this.#recentAfter = oldest.seq;
      this.#characters -= oldest.item?.data.length ?? 0;
    }
  }

  #wake(): void {
    for (const wake of this.#readers) wake();
  }
}

function batchOf(sent: readonly Sent[], released: number): Batch {
  return { items: sent.flatMap(({ item }) => item ?? []), last: sent.at(-1)?.seq ?? released };
}

function resetTo(oldest: number): Batch {
  return { items: [{ kind: 'reset', oldest: String(oldest) }], last: oldest - 1 };
}

function parsePosition(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new DevLoopError('validation_failed', `${JSON.stringify(after)} is not the id of an event`, {
    hint: 'Give an id that the stream has sent.',
  });
}
