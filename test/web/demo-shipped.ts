import type { ProjectId } from '../../server/domain/ids.ts';
import type { ProjectView } from '../../server/loop/index.ts';
import { recordedRequirement } from '../support/demo-project.ts';
import type { PageUnderTest } from './page-under-test.ts';

/** Takes the embedded recording through the whole loop: a real project with a red attempt, a failed integration and a release. */
export async function demoShipped({ app }: PageUnderTest): Promise<ProjectView & { readonly pid: ProjectId }> {
  const { pid } = await app.loop.create({ requirement: recordedRequirement('todo') });
  await app.loop.run(pid);
  const project = await app.loop.settled(pid);
  if (project.status !== 'shipped') throw new Error(`the demo ended as ${project.status}`);
  return { ...project, pid };
}
