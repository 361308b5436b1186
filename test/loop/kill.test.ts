import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { RecoveryOption } from '../../server/domain/events.ts';
import { LoopController } from '../../server/loop/index.ts';
import { type FakeProject, FakeWorld, Life } from '../support/fake-world.ts';

/** Run ids masked, without wip commits; units made side by side may land in either order. */
function shipped({ repository }: FakeProject) {
  const subjects = repository.subjects
    .filter((subject) => !subject.startsWith('wip: '))
    .map((subject) => subject.replace(/^(integ|triage)\([^)]*\)/, '$1(RUN)'));
  const files = [...repository.head.files].filter(([path]) => /^(prd|sdd)\/|\/(code|tests)\//.test(path));
  return { subjects: subjects.toSorted(), files: files.toSorted() };
}

async function killedAt(
  op: number,
  action: RecoveryOption,
): Promise<{ readonly project: FakeProject; readonly last: string }> {
  const world = new FakeWorld();
  const life = new Life(op);
  const first = new LoopController(world.ports(life));
  const shipping = (async () => {
    await first.boot();
    const { pid } = await first.create({ requirement: 'a list' });
    await first.run(pid);
    await first.settled(pid);
  })();
  await Promise.race([shipping, life.died]);
  const [project] = world.projects.values();
  if (project === undefined || project.journal.length === 0)
    return { project: await afresh(world), last: life.ops.at(-1) ?? '' };
  const second = new LoopController(world.ports());
  await second.boot();
  for (const { pid, snapshot } of await second.recoveries()) await second.answerRecovery(pid, { action, snapshot });
  const { pid } = project.folder;
  const { status } = await second.project(pid);
  assert.notEqual(status, 'running');
  if (status !== 'shipped') await second.run(pid);
  const view = await second.settled(pid);
  assert.equal(view.status, 'shipped', `${view.reason}: ${view.detail}`);
  return { project, last: life.ops.at(-1) ?? '' };
}

/** The kill came before anything was noted: the person creates the project again. */
async function afresh(world: FakeWorld): Promise<FakeProject> {
  world.projects.clear();
  const loop = new LoopController(world.ports());
  const { pid } = await loop.create({ requirement: 'a list' });
  await loop.run(pid);
  await loop.settled(pid);
  return world.project(pid);
}

function eventsOnce({ ledger, journal, repository }: FakeProject): void {
  assert.deepEqual(
    ledger.map(({ position }) => position),
    journal.map((_, i) => i + 1),
    'each journal record has its ledger entry, once',
  );
  const told = ledger.flatMap(({ entry }) =>
    entry.events.flatMap((event) => (event.kind === 'git_committed' ? [event.sha] : [])),
  );
  assert.deepEqual(
    told,
    repository.commits.map(({ sha }) => sha),
    'each commit is told once',
  );
}

describe('a server that is killed', () => {
  let expected: ReturnType<typeof shipped>;
  let operations = 0;
  before(async () => {
    const world = new FakeWorld();
    const life = new Life();
    const loop = new LoopController(world.ports(life));
    const { pid } = await loop.create({ requirement: 'init: a list' });
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
    expected = shipped(world.only);
    operations = life.ops.length;
  });

  for (const action of ['reset_hard', 'commit_as_wip'] as const) {
    it(`before any operation, and settled by ${action}, ships the same project and tells each event once`, async () => {
      assert.ok(operations > 200, `${operations} operations`);
      for (let op = 1; op <= operations; op++) {
        const { project, last } = await killedAt(op, action);
        const facts = shipped(project);
        const masked = (subjects: readonly string[]) => subjects.map((subject) => subject.replace(/^init: .*/, 'init'));
        assert.deepEqual(masked(facts.subjects), masked(expected.subjects), `killed before operation ${op}, ${last}`);
        assert.deepEqual(
          facts.files.map(([path, content]) => [path, content.replace('init: ', '')]),
          expected.files.map(([path, content]) => [path, content.replace('init: ', '')]),
          `killed before operation ${op}, ${last}`,
        );
        eventsOnce(project);
      }
    });
  }
});
