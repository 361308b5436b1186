import { Problem } from '../api/problem.ts';
import type { Link } from './live-state.ts';
import { openStream } from './open-stream.ts';
import { whileSeen } from './while-seen.ts';

const GATHER_MS = 400;
const PAUSE_MS = 1_500;
const QUIET = new Set(['agent.output']);

export interface FollowAllOptions {
  /** Something has happened to any project, or may have while the server or the reader was away; at most a few times a second. */
  readonly onNews: () => void;
  readonly onLink: (link: Link) => void;
}

/** Follows all projects while the tab can be seen. @returns how to stop. */
export function followAll({ onNews, onLink }: FollowAllOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = true;
  const tell = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onNews();
    }, GATHER_MS);
  };
  const onOpen = () => {
    if (!first) tell();
    first = false;
    onLink('live');
  };
  const follow = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        for await (const batch of openStream('/devloop/events', { signal, onOpen }))
          if (batch.some(({ name }) => !QUIET.has(name))) tell();
      } catch (error) {
        if (signal.aborted || (error instanceof Problem && error.status === 401)) return;
      }
      if (signal.aborted) return;
      onLink('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const stop = whileSeen(follow);
  return () => {
    stop();
    clearTimeout(timer);
  };
}
