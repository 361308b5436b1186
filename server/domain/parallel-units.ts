import type { ProjectState } from './project-state.ts';
import type { RoleTeam } from './team.ts';

/** How many units may be worked on side by side: one, where agents are programs that no sandbox keeps apart. */
export function parallelUnits({
  settings,
  team,
  sandboxed,
}: Pick<ProjectState, 'settings' | 'team' | 'sandboxed'>): number {
  const workers = [team.roles?.coder ?? team.default, team.roles?.tester ?? team.default];
  return workers.every((worker) => isKeptApart(worker, sandboxed)) ? settings.max_parallel_units : 1;
}

/** The tools of the drivers that only ask a model write inside of the call's scope and nowhere else. */
function isKeptApart(worker: RoleTeam, sandboxed: boolean): boolean {
  if (worker.driver === 'recorded' || worker.driver === 'model') return true;
  return sandboxed && worker.sandbox !== 'off';
}
