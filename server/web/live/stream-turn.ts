/** A stream's turn: until the signal, or until `end` is called. */
export interface StreamTurn {
  readonly signal: AbortSignal;
  end(): void;
}

/** A browser opens only six connections to a server over HTTP/1.1: two are left for all that is no stream. */
const PLACES = ['0', '1', '2', '3'].map((place) => `devloop.stream.${place}`);
/** A tab has its stream for so long, in milliseconds, before one that waits may have it. */
const TURN_MS = 3_000;

/**
 * Waits until not too many tabs of this browser have a stream. Where others wait, the turn is over after a while: whoever wants to go
 * on asks again. Without the browser's locks (plain HTTP under another name than localhost) nobody waits. Rejects with the signal.
 */
export async function takeStreamTurn(signal: AbortSignal): Promise<StreamTurn> {
  const over = new AbortController();
  const turn = { signal: AbortSignal.any([signal, over.signal]), end: () => over.abort() };
  if (!('locks' in navigator)) return turn;
  const place = await takePlace(turn.signal);
  const timer = setInterval(async () => {
    const { pending = [] } = await navigator.locks.query();
    if (pending.some(({ name }) => name === place)) over.abort();
  }, TURN_MS);
  turn.signal.addEventListener('abort', () => clearInterval(timer));
  return turn;
}

/** Takes the place that is free first, until the signal. */
function takePlace(signal: AbortSignal): Promise<string> {
  const taken = new AbortController();
  const either = AbortSignal.any([signal, taken.signal]);
  return new Promise((resolve, reject) => {
    const take = (place: string): Promise<void> | undefined => {
      if (either.aborted) return undefined;
      taken.abort();
      resolve(place);
      return new Promise((giveUp) => signal.addEventListener('abort', () => giveUp()));
    };
    for (const place of PLACES) {
      navigator.locks
        .request(place, { signal: either }, () => take(place))
        .catch((error: unknown) => {
          if (!taken.signal.aborted) reject(error);
        });
    }
  });
}
