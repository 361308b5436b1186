import { parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import { Workbench } from '../../server/loop/workbench.ts';
import type { Workplace } from '../../server/loop/workplace.ts';
import { FakeProject, FakeWorld } from './fake-world.ts';

/** One project with a first commit, to carry out a single effect in. */
export async function fakeWorkplace(): Promise<{
  readonly world: FakeWorld;
  readonly project: FakeProject;
  readonly at: Workplace;
  readonly abort: AbortController;
}> {
  const world = new FakeWorld();
  const folder = { pid: parseProjectId('p-single01'), cid: parseCompanyId('default'), root: '/data/p-single01' };
  const project = new FakeProject(folder);
  world.projects.set(folder.pid, project);
  const { disk } = project.repository;
  disk.set('units/store/code/main.js', 'code');
  disk.set('units/store/tests/main.test.js', 'tests');
  const author = { name: 'DevLoop', email: 'devloop@devloop.local' };
  const first = {
    kind: 'init',
    subject: 'init',
    author,
    trailers: [],
    files: ['**'],
    key: 'k0',
    onEmpty: 'allow',
  } as const;
  project.repository.commit(first);
  const ports = world.ports();
  const abort = new AbortController();
  return {
    world,
    project,
    abort,
    at: { ports, folder, bench: new Workbench(ports, folder.pid), signal: abort.signal },
  };
}
