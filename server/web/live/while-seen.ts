/** A tab that was looked away from for a moment only keeps its stream, in milliseconds. */
const GRACE_MS = 2_000;

/**
 * Runs something while the tab can be seen, with a signal that ends it when it cannot any more. A browser opens only six connections
 * to a server over HTTP/1.1: streams of tabs that nobody looks at would keep out the others. @returns how to stop for good.
 */
export function whileSeen(run: (signal: AbortSignal) => void): () => void {
  let stop: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    stop?.abort();
    stop = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(end, GRACE_MS);
    else if (stop === undefined) {
      stop = new AbortController();
      run(stop.signal);
    }
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    end();
  };
}
