import type { MILESTONES, ProjectFile } from './project.ts';
import type { ProjectState } from './project-state.ts';
import { withoutUndefined } from './without-undefined.ts';

/** Content of project.json at a milestone. */
export function projectFile(
  state: Pick<ProjectState, 'pid' | 'cid' | 'name' | 'requirement' | 'revisions' | 'settings' | 'team' | 'created_at'>,
  status: (typeof MILESTONES)[number],
): string {
  const { pid, cid, name, requirement, revisions, settings, team, created_at } = state;
  const file = { schema: 1, pid, cid, name, requirement, status, revisions, settings, team, created_at } as const;
  return `${JSON.stringify(withoutUndefined(file) satisfies ProjectFile, null, 2)}\n`;
}
