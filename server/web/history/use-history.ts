import { projectApi } from '../api/project-api.ts';
import type { Attempt, Project } from '../api/types.ts';
import { useLoad } from '../shell/use-load.ts';
import { usePages } from '../shell/use-pages.ts';
import { graphLanes } from './graph-lanes.ts';
import { historyRows } from './history-rows.ts';

export interface HistoryWish {
  readonly author: string | undefined;
  readonly grep: string | undefined;
  readonly path: string | undefined;
  readonly path_b64: string | undefined;
}

const PAGE = 100;

/** The commits of main that fit, page by page, and, where every commit fits, the attempts beside them and the lanes they stand in. */
export function useHistory({ pid, head, units }: Project, wish: HistoryWish) {
  const filtered = Object.values(wish).some((one) => one !== undefined);
  const key = `${pid} ${JSON.stringify(wish)}`;
  const commits = usePages((cursor) => projectApi.commits(pid, { ...wish, limit: PAGE, cursor }), key, head);
  const attempts = useLoad(
    async () => (filtered ? [] : attemptsOf(pid, units)),
    key,
    units.map(({ id, round, attempt, status }) => `${id} ${round}.${attempt} ${status}`).join(' '),
  );
  const rows = commits.value && historyRows(commits.value, attempts.value ?? []);
  const graph = filtered || rows === undefined ? undefined : graphLanes(rows);
  return { ...commits, rows, graph, problem: commits.problem ?? attempts.problem };
}

async function attemptsOf(pid: string, units: Project['units']): Promise<readonly Attempt[]> {
  const lists = await Promise.all(units.map(({ id }) => projectApi.attempts(pid, id)));
  return lists.flatMap(({ items }) => items);
}
