import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { AgentContext, AgentOutcome } from '../../../server/domain/agent-call.ts';
import type { RoleTeam } from '../../../server/domain/team.ts';
import { CODER_INPUT, coderContext, LIMITS } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { MARK_VARIABLE, marked } from '../../support/marked-processes.ts';
import { ROOT } from '../../support/running-server.ts';

const AGENT = join(ROOT, 'test/support/bad-agents/acp-agent.mjs');

async function run(
  t: TestContext,
  mode: string,
  team: { auth_method?: string; network?: boolean } = {},
  more: Partial<AgentContext> = {},
) {
  let shown = '';
  const mark = randomUUID();
  const context = coderContext(t, {
    team: { driver: 'acp', command: [process.execPath, AGENT, mode], env: [MARK_VARIABLE], ...team } satisfies RoleTeam,
    onOutput: (text) => {
      shown += text;
    },
    ...more,
  });
  mkdirSync(join(context.root, 'prd'));
  writeFileSync(join(context.root, 'prd/prd.md'), 'one\ntwo\nthree');
  writeFileSync(join(context.root, 'timeline.ndjson'), 'ledger');
  const outcome = await (await wholeManager(t, { [MARK_VARIABLE]: mark })).callAgent('coder', CODER_INPUT, context);
  const transcript = readFileSync(join(context.root, 'agent-state/calls', context.call, 'transcript.ndjson'), 'utf8');
  const notes = transcript
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { context, outcome, shown, notes, mark };
}

const reason = (outcome: AgentOutcome): string => (outcome.kind === 'failed' ? outcome.reason : outcome.kind);
const detail = (outcome: AgentOutcome): string => (outcome.kind === 'failed' ? outcome.detail : '');

describe('an agent that speaks ACP', () => {
  it('may send updates of the future, noise and answers to what nobody asked', async (t) => {
    for (const mode of ['unknown update kinds', 'noise before', 'cut characters', 'huge message']) {
      const { outcome } = await run(t, mode);
      assert.equal(reason(outcome), 'completed', `${mode}: ${JSON.stringify(outcome)}`);
    }
  });

  it('may end its last line with its process', async (t) => {
    assert.equal(reason((await run(t, 'torn last line')).outcome), 'completed');
  });

  it('gives as its answer what it said after its last tool call', async (t) => {
    const { outcome, notes, shown, context } = await run(t, 'uses tools');
    assert.equal(reason(outcome), 'completed');
    assert.ok(shown.includes('I will write a file.'));
    assert.deepEqual(
      notes.map(({ kind }) => kind),
      ['call', 'prompt', 'tool_call', 'tool_result', 'completed'],
    );
    assert.ok(existsSync(join(context.root, 'units/store/code/a.mjs')));
    assert.deepEqual(outcome.record.layers, ['environment', 'git-shim', 'permission_policy', 'command_guard']);
  });

  it('must speak version 1 of the protocol', async (t) => {
    const { outcome } = await run(t, 'wrong protocol version');
    assert.deepEqual(
      [reason(outcome), detail(outcome)],
      ['not_started', 'the agent speaks version 99 of the protocol, not 1'],
    );
  });

  it('is authenticated the way that its team names, or not started', async (t) => {
    const without = await run(t, 'asks to authenticate');
    assert.deepEqual(
      [reason(without.outcome), detail(without.outcome)],
      ['not_started', 'the agent asks to authenticate: set auth_method to one of key'],
    );
    assert.equal(reason((await run(t, 'asks to authenticate', { auth_method: 'key' })).outcome), 'completed');
    assert.equal(reason((await run(t, 'asks to authenticate', { auth_method: 'other' })).outcome), 'not_started');
  });

  it('ends with its process, and its last words are told', async (t) => {
    const { outcome } = await run(t, 'fails');
    assert.deepEqual(
      [reason(outcome), detail(outcome)],
      ['agent_error', "the agent's process ended with status 3: something broke"],
    );
    assert.equal(reason((await run(t, 'exits at once')).outcome), 'agent_error');
  });

  it('may stop for other reasons than being done', async (t) => {
    assert.equal(reason((await run(t, 'refuses')).outcome), 'refused');
    assert.match(detail((await run(t, 'stops at a limit')).outcome), /limit of its own: max_tokens/);
    assert.match(detail((await run(t, 'strange stop reason')).outcome), /of_the_future/);
    assert.equal(detail((await run(t, 'refuses the prompt')).outcome), 'the agent refused: no credit (-32603)');
  });

  it('that answers after a cancel is not heard', async (t) => {
    const { outcome } = await run(t, 'answers after cancel', {}, { limits: { ...LIMITS, idle_ms: 300 } });
    assert.equal(reason(outcome), 'timeout_idle');
  });

  it('leaves no child behind', async (t) => {
    const { outcome, mark } = await run(t, 'setsid child');
    assert.equal(reason(outcome), 'completed');
    assert.deepEqual(marked(mark), []);
  });

  it('reads and writes through us only what its call may', async (t) => {
    const { outcome, context, shown } = await run(t, 'reads and writes');
    assert.equal(reason(outcome), 'completed');
    const answers = shown
      .split('\n')
      .filter((line) => line.startsWith('{') && !line.includes('unit_id'))
      .map((line) => JSON.parse(line));
    assert.deepEqual(answers.slice(0, 2), [{ content: 'two' }, {}]);
    assert.equal(answers.length, 10);
    for (const answer of answers.slice(2)) assert.equal(answer.code, -32602, JSON.stringify(answer));
    assert.equal(readFileSync(join(context.root, 'units/store/code/new.mjs'), 'utf8'), 'export {};');
    assert.equal(readFileSync(join(context.root, 'prd/prd.md'), 'utf8'), 'one\ntwo\nthree');
    assert.equal(existsSync(join(context.root, '..', 'outside')), false);
  });

  it('is answered by the policy when it asks for permission, and each decision is noted', async (t) => {
    const { notes } = await run(t, 'asks for permission');
    const decisions = notes
      .filter(({ kind }) => kind === 'permission')
      .map(({ allowed, why, tool }) => `${allowed}: ${tool === 'execute' && !allowed ? 'GUARD' : why}`);
    assert.deepEqual(decisions, [
      'true: within the write scope',
      'false: prd/prd.md is outside of the write scope',
      'true: the command guard has nothing against it',
      'false: GUARD',
      'false: the team does not allow the network',
      'false: a path is outside of the project or hidden',
    ]);
  });

  it('is allowed things once, not for always', async (t) => {
    const { shown } = await run(t, 'asks for permission');
    const options = shown.match(/"optionId":"[^"]+"/g);
    assert.deepEqual(options?.slice(0, 2), ['"optionId":"id-allow_once"', '"optionId":"id-reject_once"']);
  });

  it('tells what it spent', async (t) => {
    const { outcome } = await run(t, 'tells what it spent');
    assert.deepEqual(outcome.record.usage, { cost: 0.5, input_tokens: 7, output_tokens: 3 });
  });
});
