import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from './io-error.ts';
import { type LogRecord, logLine, MAX_LINE } from './log-line.ts';
import { type LogEntry, readLog } from './read-log.ts';
import { syncAndClose } from './sync-soon.ts';
import { syncFolder, writeFully } from './write-atomic.ts';

const WRITTEN_OUT_MS = 600_000;

export interface LogReader {
  /** Is given each whole line in order, damaged ones included. */
  readonly onEntry?: (entry: LogEntry) => void;
  /** Offset of a line from which on all counts as torn too; it is not read. */
  readonly cutFrom?: number;
  /** Is given the torn tail before it is cut off, to set it aside. */
  readonly onTorn?: (bytes: Uint8Array) => void;
}

export interface OpenedLog {
  readonly log: AppendLog;
  /** Numbers, from 1, of damaged lines that have good ones after them. */
  readonly damaged: readonly number[];
  /** True where a torn tail was cut off. */
  readonly torn: boolean;
}

/**
 * Opens a log, makes it where it is absent (its folder must exist), reads it once, and cuts off a torn tail: what follows
 * the last newline, and a damaged last line, since neither can have been acknowledged. Fails with ELOOP on a link.
 */
export function openAppendLog(path: string, { onEntry, cutFrom, onTorn }: LogReader = {}): OpenedLog {
  const { O_RDWR, O_CREAT } = constants;
  return withFile(path, O_RDWR | O_CREAT, (fd) => {
    const size = regularSize(fd, path);
    const fresh = isFresh(fd);
    if (size === 0 && fresh) syncFolder(dirname(path));
    const damaged: number[] = [];
    let [lines, end, good] = [0, 0, 0];
    for (const entry of readLog(fd, { to: Math.min(size, cutFrom ?? size) })) {
      lines++;
      end = entry.end;
      if (entry.record === undefined) damaged.push(lines);
      else good = entry.end;
      onEntry?.(entry);
    }
    const lastIsDamaged = damaged.at(-1) === lines && damaged.at(-2) !== lines - 1;
    if (lastIsDamaged) damaged.pop();
    const cut = lastIsDamaged ? good : end;
    if (cut < size) cutBack(fd, { cut, size, onTorn });
    if (size > 0 && (fresh || cut < size)) fdatasyncSync(fd);
    return { log: new AppendLog(path, cut), damaged, torn: cut < size };
  });
}

/** An append-only file of checked lines with one writer. It holds no descriptor between calls. */
export class AppendLog {
  readonly path: string;
  #bytes: number;
  #synced: number;
  /** Counts the cuts after a failed sync: who waits for an older sync learns that the lines are gone. */
  #cuts = 0;
  #thisSync: Promise<void> | undefined;
  #nextSync: Promise<void> | undefined;

  /** Of a file that `openAppendLog` has read to its end and made durable. */
  constructor(path: string, bytes: number) {
    this.path = path;
    this.#bytes = bytes;
    this.#synced = bytes;
  }

  /** Length of what was appended, durable or not. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Length of what is durable. */
  get syncedBytes(): number {
    return this.#synced;
  }

  /** Appends the records as lines, in one write; they outlive the process at once, the machine after `sync`. What a failed call has written is cut off by the next. @returns the lines. */
  append(records: readonly LogRecord[]): Uint8Array {
    const lines = Buffer.from(records.map((record) => `${checkedLine(record)}\n`).join(''));
    if (lines.length === 0) return lines;
    const { O_WRONLY, O_APPEND } = constants;
    withFile(this.path, O_WRONLY | O_APPEND, (fd) => {
      this.#cutRest(fd);
      writeFully(fd, lines);
    });
    this.#bytes += lines.length;
    return lines;
  }

  /**
   * Resolves when all that was appended before the call is durable; calls that come while one is under way share the next.
   * A failed sync takes back every line that is not durable, as the system may have dropped it already and would call the
   * next sync a success.
   */
  sync(): Promise<void> {
    if (this.#bytes <= this.#synced) return Promise.resolve();
    this.#nextSync ??= this.#afterThisSync();
    return this.#nextSync;
  }

  async #afterThisSync(): Promise<void> {
    const cuts = this.#cuts;
    // Its own callers hear of its failure.
    await this.#thisSync?.catch(() => {});
    this.#thisSync = this.#nextSync;
    this.#nextSync = undefined;
    if (cuts !== this.#cuts) throw new IoError('log_damaged', `${this.path} was cut back after a failed sync`);
    const target = this.#bytes;
    try {
      await syncData(this.path);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
    this.#synced = target;
  }

  #takeBack(): void {
    this.#bytes = this.#synced;
    this.#cuts++;
    try {
      withFile(this.path, constants.O_WRONLY, (fd) => this.#cutRest(fd));
    } catch (error) {
      // The caller is told of the failure that led here; the next append cuts, or fails, again.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  /** Cuts what a failed write or sync left behind. */
  #cutRest(fd: number): void {
    const size = regularSize(fd, this.path);
    if (size > this.#bytes) ftruncateSync(fd, this.#bytes);
    if (size < this.#bytes)
      throw new IoError('log_damaged', `${this.path} has ${size} of ${this.#bytes} bytes`, { path: this.path });
  }
}

/** What a killed process wrote and did not sync must not pass for durable; the system writes it out within half a minute by itself. */
function isFresh(fd: number): boolean {
  return Math.abs(Date.now() - fstatSync(fd).mtimeMs) < WRITTEN_OUT_MS;
}

function checkedLine(record: LogRecord): string {
  const line = logLine(record);
  if (line.length < MAX_LINE / 3) return line;
  throw new IoError('too_large', `a log line may have at most ${Math.floor(MAX_LINE / 3)} characters`);
}

function cutBack(
  fd: number,
  tail: { readonly cut: number; readonly size: number; readonly onTorn: LogReader['onTorn'] },
): void {
  const torn = Buffer.alloc(tail.size - tail.cut);
  readSync(fd, torn, 0, torn.length, tail.cut);
  tail.onTorn?.(torn);
  ftruncateSync(fd, tail.cut);
}

/** A pipe must not hang the open, a link not lead elsewhere. */
function withFile<Result>(path: string, flags: number, use: (fd: number) => Result): Result {
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function regularSize(fd: number, path: string): number {
  const stat = fstatSync(fd);
  if (stat.isFile()) return stat.size;
  throw new IoError('path_refused', `${path} is not a file`, { path });
}

async function syncData(path: string): Promise<void> {
  await syncAndClose(openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}
