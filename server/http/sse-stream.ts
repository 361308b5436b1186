import type { ServerResponse } from 'node:http';
import type { HttpLimits } from './options.ts';
import type { StreamItem } from './services.ts';

/** Open event streams, with what they share: heartbeat, clock of sending, and the limit. */
export interface SseStreams {
  /** Writes items until they end, the reader goes or stalls. Resolves when the answer has ended; what fails at once is thrown before it begins. */
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
    for (const response of responses) if (response.headersSent && !response.writableNeedDrain) response.write(': \n\n');
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
      const batches = items[Symbol.asyncIterator]();
      const first = batches.next();
      await Promise.race([first, new Promise(setImmediate)]);
      // Without frames of its own: the stream ends with the connection, and each write is one call of the system.
      response.removeHeader('transfer-encoding');
      response.writeHead(200, {
        connection: 'close',
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.write(`retry: ${RETRY_MS}\n\n`);
      for await (const batch of resumed(first, batches)) {
        for (const bytes of partsOf(batch)) {
          if (!response.write(bytes) && !(await drained(response, limits.stalled_ms))) return;
        }
        await tick();
      }
      response.end();
    },
  };
}

/** An iteration of which one pull was made. */
async function* resumed<Item>(first: Promise<IteratorResult<Item>>, rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    for (let pulled = await first; !pulled.done; pulled = await rest.next()) yield pulled.value;
  } finally {
    await rest.return?.();
  }
}

/** True once it takes more; false where it went away, or was cut off because it takes nothing. */
function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  // One that is gone tells nothing any more.
  if (response.destroyed) return Promise.resolve(false);
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

interface Encoded {
  readonly count: number;
  readonly parts: readonly Uint8Array[];
}

/** By the first item of a batch: readers that keep up get the same batches, and share their bytes. */
const encoded = new WeakMap<StreamItem, Encoded>();

/** The items as bytes, in parts of a size that may wait in memory for one reader. */
function partsOf(items: readonly StreamItem[]): readonly Uint8Array[] {
  const [first] = items;
  if (first === undefined) return [];
  const known = encoded.get(first);
  if (known?.count === items.length) return known.parts;
  const parts = [...textsOf(items)].map((text) => Buffer.from(text));
  encoded.set(first, { count: items.length, parts });
  return parts;
}

function* textsOf(items: readonly StreamItem[]): Generator<string> {
  let text = '';
  for (const item of items) {
    text += frameOf(item);
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
