import { connect, type Socket } from 'node:net';

export interface ReadersReport {
  /** Milliseconds from an event's time to its arrival, 99 of 100 at most. */
  readonly p99: number;
  readonly events: number;
  /** Readers that did not get exactly the same bytes in the same order. */
  readonly wrong: number;
}

export interface Readers {
  /** Resolves when every reader has so many events, or after a limit. */
  until(events: number, limitMs: number): Promise<void>;
  report(): ReadersReport;
  close(): void;
}

/**
 * Opens many readers of one stream. All must get the same bytes: the one that is ahead writes down what comes, the others are held
 * against it, so that the readers cost little beside the server. HTTP/1.0, as its answers have no frames of their own.
 */
export async function openReaders(
  count: number,
  at: { readonly port: number; readonly path: string; readonly token: string },
): Promise<Readers> {
  const stream = new WrittenStream();
  const readers = await Promise.all(Array.from({ length: count }, () => openReader(at, stream)));
  return {
    until: async (events, limitMs) => {
      const deadline = performance.now() + limitMs;
      while (performance.now() < deadline && readers.some((reader) => reader.seen < events))
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
    report: () => ({
      p99: stream.percentile(0.99),
      events: stream.ends.length,
      wrong: readers.filter((reader) => reader.wrong || reader.seen !== stream.ends.length).length,
    }),
    close: () => {
      for (const { socket } of readers) socket.destroy();
    },
  };
}

interface Reader {
  readonly socket: Socket;
  position: number;
  seen: number;
  wrong: boolean;
}

/** What the stream has said so far, with the end and the time of each event in it. */
class WrittenStream {
  bytes = Buffer.alloc(1 << 20);
  length = 0;
  readonly ends: number[] = [];
  readonly times: number[] = [];
  /** How many arrivals took so many milliseconds. */
  readonly latencies = new Uint32Array(10_000);
  #parsed = 0;

  take(reader: Reader, chunk: Buffer): void {
    const known = Math.min(chunk.length, this.length - reader.position);
    const same = this.bytes.compare(chunk, 0, known, reader.position, reader.position + known) === 0;
    if (!same) reader.wrong = true;
    if (known < chunk.length) this.#append(chunk.subarray(known));
    reader.position += chunk.length;
    const now = Date.now();
    for (let end = this.ends[reader.seen]; end !== undefined && end <= reader.position; end = this.ends[reader.seen]) {
      const took = Math.max(0, now - (this.times[reader.seen] ?? now));
      const slot = Math.min(took, this.latencies.length - 1);
      this.latencies[slot] = (this.latencies[slot] ?? 0) + 1;
      reader.seen += 1;
    }
  }

  percentile(share: number): number {
    const total = this.latencies.reduce((sum, count) => sum + count, 0);
    let sum = 0;
    return this.latencies.findIndex((count) => {
      sum += count;
      return sum >= total * share;
    });
  }

  #append(part: Buffer): void {
    while (this.length + part.length > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
    part.copy(this.bytes, this.length);
    this.length += part.length;
    for (let end = this.#frameEnd(); end >= 0; end = this.#frameEnd()) {
      const frame = this.bytes.toString('latin1', this.#parsed, end);
      this.#parsed = end + 2;
      const time = /"ts":"([^"]+)"/.exec(frame)?.[1];
      if (time === undefined) continue;
      this.ends.push(this.#parsed);
      this.times.push(Date.parse(time));
    }
  }

  #frameEnd(): number {
    const end = this.bytes.indexOf('\n\n', this.#parsed);
    return end >= 0 && end + 2 <= this.length ? end : -1;
  }
}

function openReader(
  { port, path, token }: { readonly port: number; readonly path: string; readonly token: string },
  stream: WrittenStream,
): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    });
    const reader: Reader = { socket, position: 0, seen: 0, wrong: false };
    let head: Buffer | undefined = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (head === undefined) return stream.take(reader, chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const rest = head.subarray(end + 4);
      head = undefined;
      if (rest.length > 0) stream.take(reader, rest);
      resolve(reader);
    });
  });
}
