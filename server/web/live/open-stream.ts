import { askStream } from '../api/call.ts';
import { readStream, type StreamMessage } from './read-stream.ts';
import { takeStreamTurn } from './stream-turn.ts';

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when the server has answered. */
  readonly onOpen: () => void;
}

/** The server sends a comment every 15 s: a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000;

/**
 * Reads a stream of events until it ends, dies or the signal comes. With many tabs open they take turns: it goes on after the last
 * event then, and `onOpen` is called again. Throws Problem.
 */
export async function* openStream(path: string, options: StreamOptions): AsyncGenerator<readonly StreamMessage[]> {
  const { signal } = options;
  let headers = options.headers ?? {};
  for (;;) {
    const turn = await takeStreamTurn(signal);
    try {
      for await (const batch of readTurn(path, { ...options, headers, signal: turn.signal })) {
        const last = batch.findLast(({ id }) => id !== undefined)?.id;
        if (last !== undefined) headers = { ...headers, 'last-event-id': last };
        yield batch;
      }
      return;
    } catch (error) {
      if (signal.aborted || !turn.signal.aborted) throw error;
    } finally {
      turn.end();
    }
  }
}

async function* readTurn(
  path: string,
  { signal, headers, onOpen }: StreamOptions,
): AsyncGenerator<readonly StreamMessage[]> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const onPart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const response = await askStream('GET', path, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.body === null) return;
    onOpen();
    yield* readStream(response.body, onPart);
  } finally {
    clearTimeout(timer);
  }
}
