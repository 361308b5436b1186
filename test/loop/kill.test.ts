import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { RecoveryOption } from '../../server/domain/events.ts';
import { LoopController } from '../../server/loop/index.ts';
import { type FakeProject, FakeWorld, Life } from '../support/fake-world.ts';
import { shippedFacts } from '../support/shipped-facts.ts';

async function ship(loop: LoopController): Promise<void> {
  await loop.boot();
  const { pid } = await loop.create({ requirement: 'a list' });
  await loop.run(pid);
  await loop.settled(pid);
}

/** Starts a server that dies before an operation, starts another, settles what is dirty, and has the project finished. */
async function killedBefore(
  op: number,
  action: RecoveryOption,
): Promise<{ readonly project: FakeProject; readonly where: string }> {
  const world = new FakeWorld();
  const life = new Life(op);
  await Promise.race([ship(new LoopController(world.ports(life))), life.died]);
  const where = `killed before operation ${op}, ${life.ops.at(-1)}`;
  const noted = [...world.projects.values()].find(({ journal }) => journal.length > 0);
  if (noted === undefined) {
    world.projects.clear();
    await ship(new LoopController(world.ports()));
    return { project: world.only, where: `${where}: nothing was noted, so it was created again` };
  }
  const { pid } = noted.folder;
  const second = new LoopController(world.ports());
  await second.boot();
  for (const { snapshot } of await second.recoveries()) await second.answerRecovery(pid, { action, snapshot });
  const { status } = await second.project(pid);
  assert.notEqual(status, 'running', where);
  if (status !== 'shipped') await second.run(pid);
  const view = await second.settled(pid);
  assert.equal(view.status, 'shipped', `${where}: ${view.reason}: ${view.detail}`);
  return { project: noted, where };
}

function eventsOnce({ ledger, journal, repository }: FakeProject, where: string): void {
  const positions = ledger.map(({ position }) => position);
  assert.deepEqual(
    positions,
    journal.map((_, i) => i + 1),
    `${where}: each journal record has its ledger entry, once`,
  );
  const events = ledger.flatMap(({ entry }) => entry.events);
  const told = events.flatMap((event) => (event.kind === 'git_committed' ? [event.sha] : []));
  assert.deepEqual(
    told,
    repository.commits.map(({ sha }) => sha),
    `${where}: each commit is told, once`,
  );
}

function callsEnded({ repository: { disk }, ledger }: FakeProject, where: string): void {
  const files = [...disk].filter(([path]) => path.endsWith('/call.json')).map(([, text]) => JSON.parse(text));
  assert.ok(
    files.every(({ status }) => status !== 'running'),
    `${where}: no call.json says that it is running`,
  );
  const events = ledger.flatMap(({ entry }) => entry.events);
  const told = (...kinds: readonly string[]) =>
    events.flatMap((event) => (kinds.includes(event.kind) && 'call' in event ? [event.call] : [])).toSorted();
  const [began, ended] = [told('agent_started'), told('agent_finished', 'agent_failed')];
  assert.deepEqual(ended, began, `${where}: each call that was told as started is told as ended, once`);
}

describe('a server that is killed', () => {
  let expected: ReturnType<typeof shippedFacts>;
  let operations = 0;
  before(async () => {
    const world = new FakeWorld();
    const life = new Life();
    await ship(new LoopController(world.ports(life)));
    expected = shippedFacts(world.only);
    operations = life.ops.length;
    assert.ok(operations > 200, `${operations} operations`);
  });

  for (const [action, from] of [
    ['reset_hard', 1],
    ['commit_as_wip', 3],
  ] as const) {
    it(`before every fourth operation from ${from}, and settled by ${action}, ships the same and tells each event once`, async () => {
      for (let op = from; op <= operations; op += 4) {
        const { project, where } = await killedBefore(op, action);
        assert.deepEqual(shippedFacts(project), expected, where);
        eventsOnce(project, where);
        callsEnded(project, where);
      }
    });
  }
});
