import { projectApi } from '../api/project-api.ts';
import { readPages } from '../shell/read-pages.ts';
import type { TryFacts } from './unit-tries.ts';

/** A unit's attempts beside main, and every run of the project. Throws Problem. */
export async function loadTries(pid: string, unit: string): Promise<Omit<TryFacts, 'calls'>> {
  const [attempts, runs] = await Promise.all([
    projectApi.attempts(pid, unit),
    readPages((cursor) => projectApi.runs(pid, { limit: 500, cursor })),
  ]);
  return { attempts: attempts.items, runs: runs.items };
}
