import { useState } from 'preact/hooks';
import { projectApi } from '../api/project-api.ts';
import type { Attempt, Commit, Project } from '../api/types.ts';
import { useLoad } from '../shell/use-load.ts';

export interface HistoryWish {
  readonly author: string | undefined;
  readonly grep: string | undefined;
  readonly path: string | undefined;
}

const PAGE = 100;

/** The commits of main that fit, page by page, and, where every commit fits, the attempts beside them. */
export function useHistory({ pid, head, units }: Project, wish: HistoryWish) {
  const [older, setOlder] = useState<readonly Commit[]>([]);
  const [next, setNext] = useState<string>();
  const filtered = Object.values(wish).some((one) => one !== undefined);
  const { value, problem } = useLoad(
    async () => {
      const [page, ...attempts] = await Promise.all([
        projectApi.commits(pid, { ...wish, limit: PAGE }),
        ...(filtered ? [] : units.map(({ id }) => projectApi.attempts(pid, id))),
      ]);
      setOlder([]);
      setNext(page.next);
      return { commits: page.items, attempts: attempts.flatMap(({ items }): readonly Attempt[] => items) };
    },
    `${pid} ${head} ${JSON.stringify(wish)} ${units.map(({ round, attempt }) => `${round}.${attempt}`).join(' ')}`,
  );
  const showOlder = async () => {
    const page = await projectApi.commits(pid, { ...wish, limit: PAGE, cursor: next });
    setOlder((shown) => [...shown, ...page.items]);
    setNext(page.next);
  };
  return {
    value: value && { ...value, commits: [...value.commits, ...older] },
    problem,
    next,
    showOlder,
  };
}
