import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { IoError } from '../io/io-error.ts';
import { SeqLog, type SeqReader, type SeqRecord } from './seq-log.ts';
import { type KeepLimits, StreamArchive } from './stream-archive.ts';

export interface StreamLimits extends KeepLimits {
  /** Bytes after which a new file is begun. */
  readonly file_bytes: number;
}

const DAY_MS = 86_400_000;
const MB = 1024 * 1024;
export const STREAM_LIMITS: StreamLimits = { file_bytes: 2 * MB, total_bytes: 256 * MB, keep_ms: 7 * DAY_MS };

export interface StreamPlace {
  /** Absolute path of the file that is appended to. */
  readonly file: string;
  /** Absolute path of the folder for earlier files. */
  readonly archive: string;
}

export interface StreamOptions extends SeqReader {
  readonly limits: StreamLimits;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What is sent, in numbered order: one growing file, and earlier ones until they are too old or too much. */
export class StreamLog {
  readonly #file: string;
  readonly #archive: StreamArchive;
  readonly #options: StreamOptions;
  #current: SeqLog;
  /** Running digest of the growing file. */
  #digest = createHash('sha256');

  constructor({ file, archive }: StreamPlace, options: StreamOptions) {
    this.#file = file;
    this.#options = options;
    this.#archive = new StreamArchive(archive);
    this.#archive.prune(options.now(), options.limits);
    this.#current = new SeqLog(file, options);
    this.#digest.update(readFileSync(file));
  }

  /** Number of the oldest record that is kept; the next one's where there is none. */
  get oldest(): number {
    return this.#archive.first ?? this.#current.first ?? this.last + 1;
  }

  /** Number of the newest record; 0 where there is none. */
  get last(): number {
    return this.#current.last || this.#archive.last;
  }

  /** Time of the newest record in the growing file; empty where there is none. */
  get lastTs(): string {
    return this.#current.lastTs;
  }

  append(records: readonly SeqRecord[]): void {
    this.#digest.update(this.#current.append(records));
  }

  /** Resolves when what was appended before is durable; begins a new file where this one is full. */
  async sync(): Promise<void> {
    const { log } = this.#current;
    await log.sync();
    const full = log.bytes > this.#options.limits.file_bytes && log.bytes === log.syncedBytes;
    if (full && this.#current.log === log) this.#rotate();
  }

  *readAfter(seq: number): Generator<SeqRecord> {
    yield* this.#archive.readAfter(seq);
    yield* this.#current.readAfter(seq);
  }

  /** True where the growing file is byte for byte what was written. */
  check(): boolean {
    if (!this.hasLength()) return false;
    const found = createHash('sha256').update(readFileSync(this.#file)).digest();
    return found.equals(this.#digest.copy().digest());
  }

  /** True where the growing file is a file of its own and as long as what was written. */
  hasLength(): boolean {
    const stat = lstatSync(this.#file, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.nlink === 1 && stat.size === this.#current.log.bytes;
  }

  /** Absolute paths of all files, oldest first. */
  get paths(): readonly string[] {
    return [...this.#archive.paths, this.#file];
  }

  #rotate(): void {
    const { first, last } = this.#current;
    if (first === undefined) return;
    if (!this.check()) throw new IoError('log_damaged', `${this.#file} is not what was written`);
    this.#archive.add(this.#file, { first, last });
    this.#current = new SeqLog(this.#file);
    this.#digest = createHash('sha256');
    this.#archive.prune(this.#options.now(), this.#options.limits);
  }
}
