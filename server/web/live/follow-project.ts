import { ask } from '../api/call.ts';
import { Problem } from '../api/problem.ts';
import { projectApi } from '../api/project-api.ts';
import { type LiveEvent, ofStream } from './live-event.ts';
import type { LiveAction } from './live-state.ts';
import { readStream } from './read-stream.ts';

export interface FollowOptions {
  readonly pid: string;
  readonly tell: (action: LiveAction) => void;
  readonly signal: AbortSignal;
}

/** How far the page has come: seqs of the last line of the timeline and the last event of the stream. */
interface Position {
  timeline: number;
  stream: number;
}

const PAGE = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** The server sends a comment every 15 s: a stream that is silent for longer is dead. */
const SILENCE_MS = 40_000;

/**
 * Follows a project until the signal: the timeline to its end, then the stream, from the last event that came on it. Where the
 * stream ends, both again: nothing is missing, however long the server was away. Rejects with a Problem that waiting does not mend.
 */
export async function followProject(options: FollowOptions): Promise<void> {
  const { tell, signal } = options;
  const position: Position = { timeline: 0, stream: 0 };
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await readTimeline(options, position);
      await readEvents(options, position, () => {
        pause = FIRST_PAUSE_MS;
      });
    } catch (error) {
      if (!signal.aborted && isFinal(error)) throw error;
    }
    if (signal.aborted) return;
    tell({ kind: 'lost' });
    await waitFor(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429;
}

async function readTimeline({ pid, tell, signal }: FollowOptions, position: Position): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const { items, next } = await projectApi.timeline(pid, { after: position.timeline, limit: PAGE });
    tell({ kind: 'reached' });
    tell({ kind: 'told', events: items as readonly LiveEvent[] });
    position.timeline = items.at(-1)?.seq ?? position.timeline;
    more = next !== undefined;
  }
}

/** The stream from its beginning brings what the timeline does not hold: what agents printed. */
async function readEvents({ pid, tell, signal }: FollowOptions, position: Position, onOpen: () => void): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const onPart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const response = await ask('GET', projectApi.place(pid, 'events'), {
      headers: { accept: 'text/event-stream', 'last-event-id': String(position.stream) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.body === null) return;
    onOpen();
    tell({ kind: 'opened' });
    for await (const batch of readStream(response.body, onPart)) {
      const events = batch.flatMap(({ id, name, data }) => (id === undefined ? [] : [ofStream(id, name, data)]));
      if (events.length > 0) tell({ kind: 'told', events });
      position.stream = events.at(-1)?.seq ?? position.stream;
    }
  } finally {
    clearTimeout(timer);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
