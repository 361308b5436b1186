import type { LiveEvent } from './live-event.ts';

/** How the page stands to the server: `live` where it has everything that was told so far, and hears what comes. */
export type Link = 'connecting' | 'catching_up' | 'live' | 'reconnecting';

export interface LiveState {
  readonly link: Link;
  /** Ascending by seq, each once. */
  readonly events: readonly LiveEvent[];
}

export type LiveAction =
  /** The server answers; what the timeline has is being read. */
  | { readonly kind: 'reached' }
  /** From the timeline or the stream, in any order. */
  | { readonly kind: 'told'; readonly events: readonly LiveEvent[] }
  /** The stream is open, and the timeline was read to its end before. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'lost' };

export const NOT_YET: LiveState = { link: 'connecting', events: [] };

/** The next state of the page's link to a project. */
export function liveState(state: LiveState, action: LiveAction): LiveState {
  switch (action.kind) {
    case 'reached':
      return { ...state, link: 'catching_up' };
    case 'told':
      return { ...state, events: merged(state.events, action.events) };
    case 'opened':
      return { ...state, link: 'live' };
    case 'lost':
      return { ...state, link: 'reconnecting' };
    default:
      return action satisfies never;
  }
}

/** Both lists as one. An event that is there already is dropped, whatever way it came. */
function merged(known: readonly LiveEvent[], told: readonly LiveEvent[]): readonly LiveEvent[] {
  const news = [...new Map(told.map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
  const [first] = news;
  const last = known.at(-1)?.seq ?? 0;
  if (first === undefined) return known;
  if (first.seq > last) return known.concat(news);
  const seen = new Set(known.map(({ seq }) => seq));
  const added = news.filter(({ seq }) => !seen.has(seq));
  return added.length === 0 ? known : known.concat(added).sort((a, b) => a.seq - b.seq);
}
