import { projectApi } from '../api/project-api.ts';
import type { Project } from '../api/types.ts';

/** What can be compared by name: tags, attempts beside main, rescues, newest first. */
export async function revisionNames({ pid, units }: Project): Promise<readonly string[]> {
  const [tags, rescues, ...attempts] = await Promise.all([
    projectApi.tags(pid),
    projectApi.rescues(pid),
    ...units.map(({ id }) => projectApi.attempts(pid, id)),
  ]);
  return [
    'HEAD',
    ...tags.items.map(({ name }) => name),
    ...attempts.flatMap(({ items }) => items.map(({ unit, round, attempt }) => `attempts/${unit}/${round}/${attempt}`)),
    ...rescues.items.map(({ id }) => `rescue/${id}`),
  ];
}
