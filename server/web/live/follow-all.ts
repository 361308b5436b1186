import { ask } from '../api/call.ts';
import { Problem } from '../api/problem.ts';
import { readStream } from './read-stream.ts';

const GATHER_MS = 400;
const PAUSE_MS = 1_500;
const QUIET = new Set(['agent.output']);

/** Calls back when something has happened to any project, at most a few times a second, and after the server was away. @returns how to stop. */
export function followAll(onNews: () => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onNews();
    }, GATHER_MS);
  };
  const follow = async () => {
    for (let first = true; !stop.signal.aborted; first = false) {
      try {
        const { body } = await ask('GET', '/devloop/events', { signal: stop.signal });
        if (!first) tell();
        if (body === null) return;
        for await (const batch of readStream(body)) if (batch.some(({ name }) => !QUIET.has(name))) tell();
      } catch (error) {
        if (stop.signal.aborted || (error instanceof Problem && error.status === 401)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  follow();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
