import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import type { ApiClient } from './api-client.ts';

/** One event of a stream as the server sent it. */
export interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FollowOptions {
  /** Gives the API anew for each try: a server that was started again may be elsewhere. */
  readonly api: () => Promise<ApiClient>;
  /** All projects where absent. */
  readonly pid?: string;
  /** Replays what came after this id. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** Is called when the stream is open, each time. */
  readonly onOpen?: () => void;
  /** Is told why the stream broke, before it is opened again. */
  readonly onBreak?: (reason: string) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Follows a stream until the signal; when it breaks, it is opened again after the last id, with growing pauses. Throws what is no passing fault. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<Message> {
  const { signal, onBreak } = options;
  let { after } = options;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      for await (const message of messages(await open(options, after), signal)) {
        pause = FIRST_PAUSE_MS;
        after = message.id ?? after;
        yield message;
      }
      onBreak?.('the server ended the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      onBreak?.(error.message);
    }
    await delay(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(ignoreAbort);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function open(
  { api, pid, signal, onOpen }: FollowOptions,
  after: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const client = await api();
  const input = { signal, headers: after === undefined ? {} : { 'last-event-id': after } };
  const response =
    pid === undefined
      ? await client.fetch('GET /events', input)
      : await client.fetch('GET /projects/:pid/events', { params: { pid }, ...input });
  if (response.body === null) throw new DevLoopError('internal', 'The server sent no stream.');
  onOpen?.();
  return response.body;
}

async function* messages(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Message> {
  const ready: Message[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => ready.push({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* ready.splice(0);
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    throw new DevLoopError('busy', 'the connection broke', { cause: error });
  }
}

const isPassing = (error: unknown): error is DevLoopError =>
  isDevLoopError(error, 'busy', 'too_many_requests', 'data_folder_owned');

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
