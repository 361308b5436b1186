import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoopController } from '../../server/loop/index.ts';
import type { JournalRecord } from '../../server/loop/journal-record.ts';
import type { LoopPorts } from '../../server/loop/ports.ts';
import { demoScript, FakeWorld } from '../support/fake-world.ts';

/** A project whose ports tell the order of what is done with them. */
async function observed() {
  const world = new FakeWorld();
  const seen: string[] = [];
  const base = world.ports();
  const ports: LoopPorts = {
    ...base,
    journal: {
      ...base.journal,
      append: async (pid, record) => {
        await base.journal.append(pid, record);
        seen.push(`journal ${(record as JournalRecord).event.kind}`);
      },
    },
    ledgers: {
      ...base.ledgers,
      append: async (pid, position, entry) => {
        await base.ledgers.append(pid, position, entry);
        seen.push(`ledger ${position}`);
      },
    },
    agents: {
      callAgent: (role, input, context) => {
        seen.push(`call ${role}`);
        return base.agents.callAgent(role, input, context);
      },
    },
  };
  const loop = new LoopController(ports);
  const { pid } = await loop.create({ requirement: 'a list' });
  return { world, loop, pid, seen };
}

describe('a project at work', () => {
  it('journals, then tells, then acts', async () => {
    const { loop, pid, seen } = await observed();
    await loop.run(pid);
    await loop.settled(pid);
    assert.deepEqual(seen.slice(0, 11), [
      'journal project.created',
      'ledger 1',
      'journal commit.landed',
      'ledger 2',
      'journal run.requested',
      'ledger 3',
      'call pm',
      'journal call.completed',
      'ledger 4',
      'journal commit.landed',
      'ledger 5',
    ]);
  });

  it('takes its events one at a time, however many come at once', async () => {
    const { world, loop, pid, seen } = await observed();
    await loop.run(pid);
    await Promise.allSettled([loop.pause(pid), loop.feedback(pid, 'a'), loop.feedback(pid, 'b'), loop.cancel(pid)]);
    await loop.settled(pid);
    const positions = seen.filter((what) => what.startsWith('ledger ')).map((what) => Number(what.slice(7)));
    assert.deepEqual(
      positions,
      positions.map((_, i) => i + 1),
    );
    assert.equal(world.only.journal.length, positions.length);
    const kinds = seen.filter((what) => what.startsWith('journal ')).map((what) => what.slice(8));
    const asked = ['pause.requested', 'feedback.given', 'feedback.given', 'cancel.requested'];
    assert.deepEqual(
      kinds.filter((kind) => asked.includes(kind)),
      asked,
      'in the order they came',
    );
  });

  it('writes nothing into the journal for a command that is refused', async () => {
    const { world, loop, pid } = await observed();
    const before = world.only.journal.length;
    await assert.rejects(loop.signOff(pid, 'ada'));
    await assert.rejects(loop.approve(pid, 'prd'));
    assert.equal(world.only.journal.length, before);
  });

  it('is at rest only when what it had started has ended', async () => {
    const { world, loop, pid } = await observed();
    const held = Promise.withResolvers<void>();
    const { agent } = demoScript();
    world.script = {
      ...demoScript(),
      agent: async (call) => {
        await held.promise;
        return agent(call);
      },
    };
    await loop.run(pid);
    await loop.pause(pid);
    let rest = false;
    const settled = loop.settled(pid).then(() => {
      rest = true;
    });
    await loop.project(pid);
    assert.equal(rest, false, 'the call is still ending');
    held.resolve();
    await settled;
    assert.ok((await loop.project(pid)).calls.every(({ status }) => status === 'interrupted'));
  });

  it('sends what agents print to the stream, and not to the ledgers', async () => {
    const world = new FakeWorld();
    const base = world.ports();
    const printed: string[] = [];
    const { agent } = demoScript();
    world.script = {
      ...demoScript(),
      agent: (call) => {
        call.context.onOutput(`${call.role} says`);
        return agent(call);
      },
    };
    const ledgers: LoopPorts['ledgers'] = {
      ...base.ledgers,
      publish: (_pid, event) => {
        if (event.kind === 'agent_output') printed.push(`${event.call}: ${event.text}`);
      },
    };
    const loop = new LoopController({ ...base, ledgers });
    const { pid } = await loop.create({ requirement: 'a list' });
    await loop.run(pid);
    await loop.settled(pid);
    assert.equal(printed[0], 'c2-pm: pm says');
    assert.ok(!world.only.kinds.includes('agent_output'));
  });

  it('tells whether the server has a sandbox, which its units side by side depend on', async () => {
    const world = new FakeWorld();
    const team = { default: { driver: 'command' as const, command: ['agent'] } };
    const most = async (sandboxed: boolean) => {
      let now = 0;
      let highest = 0;
      const { agent } = demoScript();
      world.script = {
        ...demoScript(),
        agent: async (call) => {
          highest = Math.max(highest, ++now);
          // After the store come two units: with a sandbox their coders wait for each other; without one, the second would come soon.
          const waits = sandboxed && call.role === 'coder' && call.context.unit !== 'store';
          const until = Date.now() + (waits ? 30_000 : 20);
          while (highest < 2 && Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
          now--;
          return agent(call);
        },
      };
      const loop = new LoopController(world.ports(), { team, sandboxed });
      const { pid } = await loop.create({ requirement: 'a list' });
      await loop.run(pid);
      assert.equal((await loop.settled(pid)).status, 'shipped');
      return highest;
    };
    assert.deepEqual([await most(true), await most(false)], [2, 1]);
  });
});
