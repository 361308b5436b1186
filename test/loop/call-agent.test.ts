import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentOutcome } from '../../server/domain/agent-call.ts';
import { LoopController } from '../../server/loop/index.ts';
import { fakeAgent } from '../support/fake-agent.ts';
import { demoScript, type FakeCall, FakeWorld } from '../support/fake-world.ts';
import { RECORD, unitReport } from '../support/loop-story.ts';

/** Runs a project whose agents do something besides their work in one kind of call, the first time only. */
async function withMischief(role: FakeCall['role'], mischief: (call: FakeCall) => AgentOutcome | undefined) {
  const world = new FakeWorld();
  let done = false;
  world.script = {
    ...demoScript(),
    agent: async (call) => {
      const outcome = await fakeAgent(call);
      if (done || call.role !== role) return outcome;
      done = true;
      return mischief(call) ?? outcome;
    },
  };
  const loop = new LoopController(world.ports());
  const { pid } = await loop.create({ requirement: 'a list' });
  await loop.run(pid);
  const view = await loop.settled(pid);
  const failed = view.calls.filter(({ status }) => status === 'failed');
  return { world, view, failed, repository: world.only.repository };
}

describe('an agent call', () => {
  it('that writes outside of its scope has failed, what it wrote is put back and kept in a rescue', async () => {
    const { failed, repository, view } = await withMischief('coder', ({ project }) => {
      project.repository.disk.set('prd/prd.md', 'nothing to do');
      project.repository.disk.set('units/store/tests/main.test.js', 'all green');
      project.repository.disk.delete('sdd/index.html');
      return undefined;
    });
    assert.deepEqual(
      failed.map(({ call, reason }) => [call, reason]),
      [['c6-coder-store', 'scope_violation']],
    );
    assert.match(failed[0]?.detail ?? '', /prd\/prd\.md, sdd\/index\.html, units\/store\/tests\/main\.test\.js/);
    assert.notEqual(repository.disk.get('prd/prd.md'), 'nothing to do');
    assert.ok(repository.disk.has('sdd/index.html'));
    assert.equal(repository.rescues[0]?.get('prd/prd.md'), 'nothing to do');
    assert.equal(repository.kept[0]?.verdict, 'failed', 'what it did inside of its scope is kept as an attempt');
    assert.equal(view.status, 'shipped');
  });

  it('that writes over a ledger has failed, and the ledger is put back', async () => {
    const { failed, repository } = await withMischief('pm', ({ project }) => {
      project.repository.disk.set('timeline.ndjson', '');
      return undefined;
    });
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['scope_violation'],
    );
    assert.match(repository.disk.get('timeline.ndjson') ?? '', /"created"/);
  });

  it('that touches .git has failed with vault_tampered', async () => {
    const { failed, view } = await withMischief('architect', ({ project }) => {
      project.repository.tampering = ['config', 'hooks/pre-commit'];
      return undefined;
    });
    assert.deepEqual(
      failed.map(({ reason, detail }) => [reason, detail]),
      [['vault_tampered', 'changed in .git or the ledgers, and put back: config, hooks/pre-commit']],
    );
    assert.equal(view.status, 'shipped', 'it is made again');
  });

  it('of a Coder that changed nothing has failed with no_change', async () => {
    const { failed } = await withMischief('coder', ({ project }) => {
      project.repository.disk.delete('units/store/code/main.js');
      return undefined;
    });
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['no_change'],
    );
  });

  it('of an Architect whose files say something else has failed with bad_output', async () => {
    const { failed } = await withMischief('architect', ({ project }) => {
      project.repository.disk.set('units.json', '{"units":[]}');
      return undefined;
    });
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ['bad_output'],
    );
  });

  it('that diverged from its recording blocks the project with what differed', async () => {
    const { view } = await withMischief('tester', () => ({
      kind: 'failed',
      reason: 'replay_diverged',
      detail: 'turn 2: another request',
      record: RECORD,
    }));
    assert.deepEqual(
      [view.status, view.reason, view.detail],
      ['blocked', 'replay_diverged', 'tester: turn 2: another request'],
    );
  });

  it('that throws blocks the project, and leaves no baseline held', async () => {
    const { view, world } = await withMischief('pm', () => {
      throw new Error('the driver broke');
    });
    assert.deepEqual([view.status, view.reason, view.detail], ['blocked', 'internal', 'the driver broke']);
    assert.ok(world.warnings.some((text) => text.includes('call_agent failed')));
  });

  it('does not answer for what a unit side by side with it does', async () => {
    const world = new FakeWorld();
    const waiting: (() => void)[] = [];
    world.script = {
      ...demoScript(),
      agent: async (call) => {
        const outcome = await fakeAgent(call);
        if (call.role === 'coder' && call.context.unit !== 'store') {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === 2) for (const go of waiting) go();
          });
        }
        return outcome;
      },
    };
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    const view = await loop.settled(pid);
    assert.equal(view.status, 'shipped');
    assert.equal(waiting.length, 2, 'both were at work at once');
    assert.ok(view.calls.every(({ status }) => status === 'done'));
  });

  it('can have its tests run, whose leavings are put back and are not held against it', async () => {
    let seen: string | undefined;
    const world = new FakeWorld();
    world.script = {
      ...demoScript(),
      agent: async (call) => {
        if (call.role === 'coder' && call.context.unit === 'api') seen = (await call.context.runTests?.())?.outcome;
        return fakeAgent(call);
      },
      unit: ({ unit }, { repository }) => {
        repository.disk.set(`units/${unit}/left-by-tests.txt`, 'x');
        return unitReport('green');
      },
      integration: demoScript().integration,
    };
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    const view = await loop.settled(pid);
    assert.equal(view.status, 'shipped', `${view.reason} ${view.detail}`);
    assert.equal(seen, 'green');
    assert.ok(!world.only.repository.disk.has('units/api/left-by-tests.txt'));
  });
});

describe("the server's own test run", () => {
  const verdictAfter = async (meddle: (disk: Map<string, string>) => void) => {
    const world = new FakeWorld();
    world.script = {
      ...demoScript(),
      unit: ({ unit }, { repository }) => {
        if (unit === 'store') meddle(repository.disk);
        return unitReport('green');
      },
    };
    const loop = new LoopController(world.ports());
    const { pid } = await loop.create({ requirement: 'a list', settings: { attempts: 1 } });
    await loop.run(pid);
    await loop.settled(pid);
    return { run: (await loop.runs(pid))[0], repository: world.only.repository };
  };

  it('is tampered where the tests changed while they ran', async () => {
    const { run, repository } = await verdictAfter((disk) => disk.set('units/store/tests/main.test.js', 'all green'));
    assert.equal(run?.outcome, 'tampered');
    assert.equal(repository.kept[0]?.verdict, 'tampered');
    assert.equal(repository.disk.get('units/store/tests/main.test.js'), 'tests 1.1', 'they are put back');
  });

  it('is tampered where the code changed while it ran', async () => {
    assert.equal(
      (await verdictAfter((disk) => disk.set('units/store/code/main.js', 'better'))).run?.outcome,
      'tampered',
    );
  });

  it('is green where it leaves files beside code and tests, which are put back', async () => {
    const { run, repository } = await verdictAfter((disk) => disk.set('units/store/out.txt', 'x'));
    assert.equal(run?.outcome, 'green');
    assert.ok(!repository.disk.has('units/store/out.txt'));
  });
});
