import { readSync } from 'node:fs';
import { type LogRecord, MAX_LINE, parseLogLine } from './log-line.ts';

/** One whole line of a log. */
export interface LogEntry {
  /** Undefined where the line is damaged. */
  readonly record: LogRecord | undefined;
  /** Offset of its first byte, and of the byte after its newline. */
  readonly start: number;
  readonly end: number;
}

export interface LogRange {
  /** Offset of a line's first byte; 0 where absent. */
  readonly from?: number;
  /** Offset to stop at; the end of the file where absent. */
  readonly to?: number;
}

const CHUNK = 65_536;
const NEWLINE = 10;

/** Reads the whole lines of a log in order, in pieces of 64 kB. What follows the last newline is no line yet and is left out. */
export function* readLog(fd: number, { from = 0, to = Number.POSITIVE_INFINITY }: LogRange = {}): Generator<LogEntry> {
  const line = new PartialLine();
  let start = from;
  for (let offset = from; offset < to; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, to - offset));
    const chunk = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset));
    if (chunk.length === 0) return;
    let done = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, done)) {
      const end = offset + newline + 1;
      yield { record: line.finish(chunk.subarray(done, newline)), start, end };
      start = end;
      done = newline + 1;
    }
    line.add(chunk.subarray(done));
    offset += chunk.length;
  }
}

class PartialLine {
  #pieces: Buffer[] = [];
  #length = 0;

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > MAX_LINE) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  finish(last: Buffer): LogRecord | undefined {
    this.add(last);
    const whole = this.#length <= MAX_LINE;
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#length = 0;
    return whole ? parseLogLine(text) : undefined;
  }
}
