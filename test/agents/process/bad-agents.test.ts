import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { AgentContext, AgentOutcome } from '../../../server/domain/agent-call.ts';
import type { RoleTeam } from '../../../server/domain/team.ts';
import { CODER_INPUT, coderContext, LIMITS } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { MARK_VARIABLE, marked } from '../../support/marked-processes.ts';
import { ROOT } from '../../support/running-server.ts';

const AGENT = join(ROOT, 'test/support/bad-agents/agent.mjs');

async function run(
  t: TestContext,
  mode: string,
  more: Partial<AgentContext> = {},
  more_secrets: Readonly<Record<string, string>> = {},
) {
  const mark = randomUUID();
  const secrets = { ...more_secrets, [MARK_VARIABLE]: mark };
  const context = coderContext(t, {
    team: { driver: 'command', command: [process.execPath, AGENT, mode], env: Object.keys(secrets) },
    ...more,
  });
  mkdirSync(join(context.root, 'prd'));
  writeFileSync(join(context.root, 'prd/prd.md'), 'the PRD');
  const manager = await wholeManager(t, secrets);
  const outcome = await manager.callAgent('coder', CODER_INPUT, context);
  assert.deepEqual(marked(mark), [], 'no process is left');
  return { context, outcome };
}

const reason = (outcome: AgentOutcome): string => (outcome.kind === 'failed' ? outcome.reason : outcome.kind);

describe('a program that behaves badly', () => {
  for (const mode of ['noise before', 'torn last line', 'cut characters', 'huge message', 'answers in the file']) {
    it(`is understood all the same: ${mode}`, async (t) => {
      const { outcome } = await run(t, mode);
      assert.equal(reason(outcome), 'completed', JSON.stringify(outcome));
    });
  }

  it('that exits at once has given no result', async (t) => {
    assert.equal(reason((await run(t, 'exits at once')).outcome), 'bad_output');
  });

  it('that breaks is told of with its last words', async (t) => {
    const { outcome } = await run(t, 'fails');
    assert.equal(outcome.kind === 'failed' && outcome.detail, 'the program ended with status 3: something broke');
  });

  it('that does not exist has not started', async (t) => {
    const { outcome } = await run(t, 'none', { team: { driver: 'command', command: ['/no/such/program'] } });
    assert.equal(reason(outcome), 'not_started');
  });

  for (const mode of ['child holds the pipe', 'setsid child']) {
    it(`leaves nothing behind once it has answered: ${mode}`, async (t) => {
      const began = performance.now();
      assert.equal(reason((await run(t, mode)).outcome), 'completed');
      assert.ok(performance.now() - began < 15_000);
    });
  }

  it('that ignores the request to end is ended', async (t) => {
    const { outcome } = await run(t, 'ignores the request to end', { limits: { ...LIMITS, idle_ms: 300 } });
    assert.equal(reason(outcome), 'timeout_idle');
  });

  it('that fills the disk is stopped', async (t) => {
    const { outcome } = await run(t, 'fills the disk', { limits: { ...LIMITS, write_bytes: 2_000_000 } });
    assert.deepEqual(outcome.kind === 'failed' && [outcome.reason, outcome.detail], [
      'output_limit',
      'wrote more than 2000000 bytes',
    ]);
  });

  it('cannot pass off another file or a pipe as its result', async (t) => {
    assert.equal(reason((await run(t, 'a result that is a link')).outcome), 'bad_output');
    assert.equal(reason((await run(t, 'a result that is a pipe')).outcome), 'bad_output');
  });

  it('sees nothing of the environment but what it was given, and cannot show that', async (t) => {
    process.env.DEVLOOP_TEST_LEAK = 'must not be seen';
    t.after(() => {
      delete process.env.DEVLOOP_TEST_LEAK;
    });
    let shown = '';
    const { context } = await run(
      t,
      'prints its environment',
      {
        onOutput: (text) => {
          shown += text;
        },
      },
      { AGENT_KEY: 'the-secret-value' },
    );
    assert.ok(shown.includes('"AGENT_KEY":"[redacted]"'), shown);
    assert.ok(!shown.includes('must not be seen'));
    const transcript = readFileSync(join(context.root, 'agent-state/calls', context.call, 'transcript.ndjson'), 'utf8');
    assert.ok(!transcript.includes('the-secret-value') && transcript.includes('[redacted]'));
  });

  it('is not started without a key that its team names', async (t) => {
    const team = { driver: 'command', command: ['true'], env: ['MISSING_KEY'] } satisfies RoleTeam;
    const { outcome } = await run(t, 'none', { team });
    assert.equal(
      outcome.kind === 'failed' && outcome.detail,
      'the environment variable MISSING_KEY, which the team names, is not set',
    );
  });

  it('is not started where its team requires a sandbox that is not there', async (t) => {
    const team = { driver: 'command', command: ['true'], sandbox: 'required' } satisfies RoleTeam;
    const { outcome } = await run(t, 'none', { team });
    assert.equal(reason(outcome), 'not_started');
    assert.deepEqual(outcome.record.layers, []);
  });

  it('leaves no folder of its own behind, and its result where it was', async (t) => {
    const { context, outcome } = await run(t, 'answers');
    assert.equal(reason(outcome), 'completed');
    assert.deepEqual(outcome.record.layers, ['environment', 'git-shim']);
    assert.equal(existsSync(join(context.root, 'units/store/code/a.mjs')), true);
    assert.equal(lstatSync(join(context.root, 'agent-state/calls', context.call, 'out')).isDirectory(), true);
  });
});
