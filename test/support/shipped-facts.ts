import type { FakeProject } from './fake-world.ts';

/** What must be the same however a project came to be shipped: subjects without run ids and wip, and the files of each role. */
export function shippedFacts({ repository }: FakeProject) {
  const subjects = repository.subjects
    .filter((subject) => !subject.startsWith('wip: '))
    .map((subject) =>
      subject.replace(/^(integ|triage)\([^)]*\)/, '$1(RUN)').replace(/^init: project \S+/, 'init: project PID'),
    );
  const files = [...repository.head.files].filter(([path]) => /^(prd|sdd)\/|\/(code|tests)\//.test(path));
  // Units that are made side by side land in either order.
  return { subjects: subjects.toSorted(), files: files.toSorted() };
}
