import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { type ProjectId, parseProjectId, parseRunId } from '../../server/domain/ids.ts';
import type { SettingsInput } from '../../server/domain/project.ts';
import { LoopController } from '../../server/loop/index.ts';
import { demoScript, FakeWorld } from '../support/fake-world.ts';
import { unitReport } from '../support/loop-story.ts';

const code = (wanted: string) => (error: unknown) => isDevLoopError(error) && error.code === wanted;

async function started(settings: SettingsInput = {}, change: (world: FakeWorld) => void = () => undefined) {
  const world = new FakeWorld();
  change(world);
  const loop = new LoopController(world.ports());
  await loop.boot();
  const { pid } = await loop.create({ requirement: 'a list', settings });
  await loop.run(pid);
  return { world, loop, pid, view: await loop.settled(pid) };
}

describe('LoopController', () => {
  it('takes a requirement through red, retry, failed integration, triage and repair to shipped', async () => {
    const { world, view, loop, pid } = await started();
    assert.equal(view.status, 'shipped');
    const { repository } = world.only;
    assert.deepEqual(
      repository.kept.map(({ ref, verdict }) => [ref, verdict]),
      [['refs/devloop/attempts/store/1/1', 'red']],
    );
    assert.deepEqual(
      repository.commits
        .map(({ spec }) => spec.subject.replace(/\d{12}/, 'RUN'))
        .filter((subject) => !subject.startsWith('code(')),
      [
        `init: project ${pid} · a list`,
        'prd: rev 1 · the list, 1',
        'sdd: rev 1 · 3 units · three units',
        'integ(RUN): fail · 1/2',
        'triage(RUN): code · confidence 0.9',
        'integ(RUN): pass · 2/2',
        'ship: prd@1 sdd@1',
      ],
    );
    assert.deepEqual(repository.dirty(), [], 'nothing is left in no commit');
    const { status, revisions } = JSON.parse(repository.disk.get('project.json') ?? '');
    assert.deepEqual([status, revisions], ['shipped', { prd: 1, sdd: 1 }]);
    assert.deepEqual(await loop.recoveries(), []);
  });

  it('tells of units, calls, runs and what was spent', async () => {
    const { loop, pid, view } = await started();
    assert.deepEqual(
      view.units.map(({ id, status, round, attempt }) => [id, status, round, attempt]),
      [
        ['store', 'green', 2, 1],
        ['api', 'green', 1, 1],
        ['page', 'green', 1, 1],
      ],
    );
    assert.ok(view.calls.every((call) => call.status === 'done' && call.source === 'scripted'));
    assert.ok(
      view.calls.every((call) => call.sha !== undefined),
      'each call names the commit or attempt with its work',
    );
    assert.deepEqual(view.spent, {
      calls: view.calls.length,
      tokens: 15 * view.calls.length,
      cost: view.calls.length / 2,
    });
    const runs = await loop.runs(pid);
    assert.deepEqual(
      runs.filter(({ kind }) => kind === 'integration').map(({ round, outcome, passed }) => [round, outcome, passed]),
      [
        [1, 'fail', 1],
        [2, 'pass', 2],
      ],
    );
    const [red] = runs;
    assert.ok(red);
    const { result } = await loop.runResult(pid, red.run);
    assert.deepEqual(
      [
        (result as { outcome: string }).outcome,
        (result as { unit: string }).unit,
        (result as { schema: number }).schema,
      ],
      ['red', 'store', 1],
    );
    await assert.rejects(loop.runResult(pid, parseRunId('r-none')), code('run_not_found'));
  });

  it('keeps call.json of each call, and a coder.log with a section for each attempt', async () => {
    const { world } = await started();
    const { disk } = world.only.repository;
    const file = JSON.parse(disk.get('agent-state/calls/c6-coder-store/call.json') ?? '');
    assert.deepEqual([file.status, file.role, file.unit, file.attempt], ['done', 'coder', 'store', 1]);
    assert.match(file.input_hash, /^[0-9a-f]{12}$/);
    const sections = (disk.get('units/store/coder.log') ?? '').match(/^## .*(red|green)/gm);
    assert.deepEqual(sections, [
      '## round 1 · attempt 1 · red',
      '## round 1 · attempt 2 · green',
      '## round 2 · attempt 1 · green',
    ]);
  });

  it('has one changelog line for each tag of a revision', async () => {
    const { world } = await started();
    const lines = world.only.ledger.flatMap(({ entry }) => entry.changelog ?? []);
    const tags = world.only.repository.commits.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
    assert.deepEqual(
      lines.map(({ tag }) => tag),
      tags.filter((tag) => /^(prd|sdd)-rev-/.test(tag)),
    );
  });

  it('commits exactly the trees that were tested', async () => {
    const { world } = await started();
    const { commits } = world.only.repository;
    for (const { spec, files } of commits.filter(({ spec: { kind } }) => kind === 'code')) {
      const unit = spec.trailers.find(({ key }) => key === 'DevLoop-Unit')?.value ?? '';
      const results = [...files]
        .filter(([path]) => path.startsWith(`units/${unit}/runs/`))
        .map(([, text]) => JSON.parse(text));
      assert.ok(results.some(({ outcome, code_tree, tests_tree }) => outcome === 'green' && code_tree && tests_tree));
    }
  });

  it('runs two projects at once, each as if it were alone', async () => {
    const world = new FakeWorld();
    const loop = new LoopController(world.ports());
    const pids = await Promise.all(['one', 'two'].map(async (requirement) => (await loop.create({ requirement })).pid));
    await Promise.all(pids.map((pid) => loop.run(pid)));
    await Promise.all(pids.map((pid) => loop.settled(pid)));
    const [one, two] = pids.map((pid) => world.project(pid).repository);
    const masked = (subjects: readonly string[] = []) =>
      subjects.map((subject) => subject.replace(/\d{12}/, 'RUN').replace(/^init: .*/, 'init')).toSorted();
    assert.deepEqual(masked(one?.subjects), masked(two?.subjects));
    assert.ok(![...(one?.head.files.values() ?? [])].some((content) => content.includes(pids[1] ?? '')));
  });

  it('blocks with unit_failed after three red attempts, and goes on with a new round', async () => {
    const { loop, pid, world, view } = await started({}, (fresh) => {
      fresh.script = { ...demoScript(), unit: ({ unit }) => unitReport(unit === 'store' ? 'red' : 'green') };
    });
    assert.deepEqual([view.status, view.reason], ['blocked', 'unit_failed']);
    assert.match(view.hint ?? '', /store/);
    assert.equal(world.only.repository.kept.length, 3);
    await assert.rejects(loop.run(pid), code('bad_state'));
    world.script = demoScript();
    await loop.run(pid, { units: view.units.filter(({ status }) => status === 'failed').map(({ id }) => id) });
    assert.equal((await loop.settled(pid)).status, 'shipped');
    assert.ok(world.only.repository.subjects.includes('code(store): implement · attempt 1'));
  });

  it('waits at its gates, and takes feedback after shipping', async () => {
    const { loop, pid, view } = await started({ gates: { prd: true } });
    assert.deepEqual([view.status, view.gate], ['waiting_approval', 'prd']);
    await assert.rejects(loop.approve(pid, 'sdd'), code('bad_state'));
    await loop.reject(pid, 'prd', 'shorter');
    assert.equal((await loop.settled(pid)).revisions.prd, 2);
    await loop.approve(pid, 'prd');
    assert.equal((await loop.settled(pid)).status, 'shipped');
    await loop.feedback(pid, 'and colours');
    await loop.settled(pid);
    await loop.approve(pid, 'prd');
    const last = await loop.settled(pid);
    assert.deepEqual([last.status, last.revisions], ['shipped', { prd: 3, sdd: 2 }]);
  });

  it('signs off with a commit and a tag, and is final then', async () => {
    const { loop, pid, world } = await started();
    await loop.signOff(pid, 'ada');
    const { spec, tag, files } = world.only.repository.head;
    assert.deepEqual([spec.subject, tag], ['chore: sign-off by ada', 'final-v1']);
    assert.equal(JSON.parse(files.get('project.json') ?? '').status, 'shipped-final');
    await assert.rejects(loop.feedback(pid, 'more'), code('bad_state'));
  });

  it('tells a person whose sign-off could not be committed, and lets them ask again', async () => {
    const { loop, pid, world } = await started();
    world.only.repository.failures = ['disk_full'];
    await assert.rejects(loop.signOff(pid, 'ada'), code('disk_full'));
    assert.equal((await loop.project(pid)).status, 'shipped');
    await loop.signOff(pid, 'ada');
    assert.equal((await loop.project(pid)).status, 'shipped-final');
  });

  it('abandons a project that is at work', async () => {
    const world = new FakeWorld();
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    await loop.abandon(pid, 'no time');
    const view = await loop.settled(pid);
    assert.deepEqual([view.status, view.reason], ['abandoned', 'no time']);
    assert.ok(world.only.repository.commits.some(({ tag }) => tag === 'abandoned'));
  });

  it('makes a commit again that failed, and blocks after three times', async () => {
    const once = await started({}, (world) => {
      world.script = { ...demoScript(), agent: failingCommits(world, 1) };
    });
    assert.equal(once.view.status, 'shipped');
    assert.ok(once.world.only.kinds.includes('git_failed'));
    const thrice = await started({}, (world) => {
      world.script = { ...demoScript(), agent: failingCommits(world, 3) };
    });
    assert.deepEqual([thrice.view.status, thrice.view.reason], ['blocked', 'git_failed']);
    await thrice.loop.run(thrice.pid);
    assert.equal((await thrice.loop.settled(thrice.pid)).status, 'shipped');
  });

  it('refuses a second run, an unknown project, and settings that do not fit', async () => {
    const world = new FakeWorld();
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    await assert.rejects(loop.run(pid), code('already_running'));
    await loop.settled(pid);
    await assert.rejects(loop.run(parseProjectId('p-unknown')), code('project_not_found'));
    await assert.rejects(loop.create({ requirement: 'x', settings: { attempts: 0 } }), code('validation_failed'));
    assert.equal((await loop.list()).length, 1);
  });

  it('leaves nothing of a project whose first commit failed', async () => {
    const world = new FakeWorld();
    const ports = world.ports();
    const create = ports.projects.create;
    const failing = {
      ...ports.projects,
      create: async (...args: Parameters<typeof create>) => {
        const folder = await create(...args);
        world.project(folder.pid).repository.failures = ['disk_full'];
        return folder;
      },
    };
    const loop = new LoopController({ ...ports, projects: failing });
    await assert.rejects(loop.create({ requirement: 'a list' }), code('disk_full'));
    assert.equal(world.projects.size, 0);
    assert.deepEqual(await loop.list(), []);
  });

  it('removes a project that is at work, and then knows it no more', async () => {
    const world = new FakeWorld();
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    await loop.remove(pid);
    await assert.rejects(loop.project(pid), code('project_not_found'));
    assert.equal(world.projects.size, 0);
  });

  it('does not know a project any more whose folder a person deleted', async () => {
    const { world, loop, pid } = await started();
    world.projects.delete(pid as ProjectId);
    await assert.rejects(loop.project(pid), code('project_not_found'));
  });
});

/** The PM's call is followed by commits that fail. */
function failingCommits(world: FakeWorld, times: number): FakeWorld['script']['agent'] {
  const { agent } = demoScript();
  return (call) => {
    if (call.role === 'pm') world.only.repository.failures = Array.from({ length: times }, () => 'disk_full' as const);
    return agent(call);
  };
}
