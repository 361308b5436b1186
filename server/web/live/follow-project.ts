import { Problem } from '../api/problem.ts';
import { projectApi } from '../api/project-api.ts';
import { type LiveEvent, ofStream } from './live-event.ts';
import type { LiveAction } from './live-state.ts';
import { openStream } from './open-stream.ts';

/** How far the page has come: seqs of the last line of the timeline and the last event of the stream. */
export interface Position {
  timeline: number;
  stream: number;
}

export interface FollowOptions {
  readonly pid: string;
  readonly tell: (action: LiveAction) => void;
  readonly signal: AbortSignal;
  /** Where to begin; moved on as events come, so that following can go on from there. */
  readonly position: Position;
}

const PAGE = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Follows a project until the signal: the timeline to its end, then the stream, from the last event that came on it. Where the
 * stream ends, both again: nothing is missing, however long the server was away. Rejects with a Problem that waiting does not mend.
 */
export async function followProject(options: FollowOptions): Promise<void> {
  const { tell, signal } = options;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await readTimeline(options);
      await readEvents(options, () => {
        pause = FIRST_PAUSE_MS;
      });
    } catch (error) {
      if (!signal.aborted && error instanceof Problem && error.final) throw error;
    }
    if (signal.aborted) return;
    tell({ kind: 'lost' });
    await waitFor(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

async function readTimeline({ pid, tell, signal, position }: FollowOptions): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const { items, next } = await projectApi.timeline(pid, { after: position.timeline, limit: PAGE });
    tell({ kind: 'reached' });
    tell({ kind: 'told', events: items as readonly LiveEvent[] });
    position.timeline = items.at(-1)?.seq ?? position.timeline;
    more = next !== undefined;
  }
}

/** The stream from its beginning brings what the timeline does not hold: what agents printed. */
async function readEvents({ pid, tell, signal, position }: FollowOptions, onOpen: () => void): Promise<void> {
  const stream = openStream(projectApi.place(pid, 'events'), {
    headers: { 'last-event-id': String(position.stream) },
    signal,
    onOpen: () => {
      onOpen();
      tell({ kind: 'opened' });
    },
  });
  for await (const batch of stream) {
    const events = batch.flatMap(({ id, name, data }) => (id === undefined ? [] : [ofStream(id, name, data)]));
    if (events.length > 0) tell({ kind: 'told', events });
    position.stream = events.at(-1)?.seq ?? position.stream;
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
