import type { ServerResponse } from 'node:http';
import type { HttpLimits } from './options.ts';
import type { StreamItem } from './services.ts';

/** Open event streams, with what they share: heartbeat, clock of sending, and the limit. */
export interface SseStreams {
  /** Writes items until they end, the reader goes or stalls. Resolves when the answer has ended. */
  serve(response: ServerResponse, items: AsyncIterable<readonly StreamItem[]>): Promise<void>;
  readonly open: number;
}

const RETRY_MS = 1_000;
const PART_LENGTH = 64 * 1024;

/**
 * Writes server-sent events. What comes within `batch_ms` goes out in one write; nothing is buffered here: a reader that takes
 * nothing makes its iteration wait, and is cut off after `stalled_ms` (its place is the last id it got).
 */
export function createSseStreams(limits: Pick<HttpLimits, 'heartbeat_ms' | 'batch_ms' | 'stalled_ms'>): SseStreams {
  const responses = new Set<ServerResponse>();
  const tick = sharedTick(limits.batch_ms);
  let heartbeat: NodeJS.Timeout | undefined;

  function beat(): void {
    for (const response of responses) if (!response.writableNeedDrain) response.write(': \n\n');
  }

  return {
    get open() {
      return responses.size;
    },
    async serve(response, items) {
      responses.add(response);
      heartbeat ??= setInterval(beat, limits.heartbeat_ms).unref();
      response.once('close', () => {
        responses.delete(response);
        if (responses.size > 0) return;
        clearInterval(heartbeat);
        heartbeat = undefined;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
      response.write(`retry: ${RETRY_MS}\n\n`);
      for await (const batch of items) {
        for (const text of textsOf(batch)) {
          if (!response.write(text) && !(await drained(response, limits.stalled_ms))) return;
        }
        await tick();
      }
      response.end();
    },
  };
}

/** True once it takes more; false where it went away, or was cut off because it takes nothing. */
function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => response.destroy(), withinMs);
    const settle = () => {
      clearTimeout(cutOff);
      response.off('drain', settle).off('close', settle);
      resolve(!response.destroyed);
    };
    response.on('drain', settle).on('close', settle);
  });
}

const encoded = new WeakMap<StreamItem, string>();

/** The items as text, in parts of a size that may wait in memory for one reader. */
function* textsOf(items: readonly StreamItem[]): Generator<string> {
  let text = '';
  for (const item of items) {
    let frame = encoded.get(item);
    if (frame === undefined) {
      frame = frameOf(item);
      encoded.set(item, frame);
    }
    text += frame;
    if (text.length < PART_LENGTH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** One event as text. Data over several lines keeps them; a line end in id or name would begin another field, and is left out. */
export function frameOf(item: StreamItem): string {
  if (item.kind === 'reset') return `event: stream.reset\ndata: ${JSON.stringify({ oldest: item.oldest })}\n\n`;
  const data = item.data.split(/\r\n|\r|\n/).join('\ndata: ');
  return `id: ${oneLine(item.id)}\nevent: ${oneLine(item.name)}\ndata: ${data}\n\n`;
}

const oneLine = (text: string): string => text.replace(/[\r\n\0]/g, '');

/** Everyone who waits is woken together, at most once in so many milliseconds. */
function sharedTick(everyMs: number): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= new Promise((resolve) => {
      setTimeout(() => {
        next = undefined;
        resolve();
      }, everyMs);
    });
    return next;
  };
}
