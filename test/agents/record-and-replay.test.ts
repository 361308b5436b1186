import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createAgentManager } from '../../server/agents/index.ts';
import type { AgentContext, AgentOutcome } from '../../server/domain/agent-call.ts';
import { parseCallId, parseProjectId } from '../../server/domain/ids.ts';
import type { UnitReport } from '../../server/domain/verdicts.ts';
import { CODER_INPUT, CODER_RESULT, coderContext, fenced } from '../support/agent-context.ts';
import { FIXED_CLOCK, openSetting, TEMPLATES, wholeManager } from '../support/agents-lab.ts';
import { type ChatAnswer, chatServer, says, streams } from '../support/chat-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const CODE = 'units/store/code/a.mjs';

const calls = (...tools: readonly (readonly [name: string, args: object])[]): ChatAnswer =>
  streams({
    choices: [
      {
        delta: {
          tool_calls: tools.map(([name, args], index) => ({
            index,
            id: `call_${name}_${index}`,
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        finish_reason: 'tool_calls',
      },
    ],
  });

const report = (duration_ms: number): UnitReport => ({
  outcome: 'red',
  runner: 'node:test',
  command: ['node'],
  exit_code: 1,
  signal: null,
  duration_ms,
  passed: 1,
  failed: 1,
  skipped: 0,
  tests: [{ id: 'a', status: 'failed', message: 'one is not two', duration_ms }],
  missing_tests: [],
  output_tail: `took ${duration_ms}ms on port ${duration_ms}`,
});

/** Records one call of a live team; the file, and a way to play it in another project. */
async function recorded(t: TestContext, answers: readonly ChatAnswer[]) {
  const { base_url } = await chatServer(t, answers);
  const record = join(scratchFolder(t), 'recording.ndjson');
  const setting = await openSetting(t, { MODEL_KEY: 'hush-hush-key' });
  const manager = createAgentManager({ ...setting, templates: TEMPLATES, clock: FIXED_CLOCK, record });
  const team = { driver: 'model' as const, base_url, model: 'live-1', api_key_env: 'MODEL_KEY' };
  const there = coderContext(t, { team, runTests: async () => report(12) });
  prepare(there);
  const live = await manager.callAgent('coder', CODER_INPUT, there);
  const play = async (more: Partial<AgentContext> = {}, change: (context: AgentContext) => void = () => {}) => {
    const here = coderContext(t, {
      pid: parseProjectId('p-elsewhere'),
      call: parseCallId('call-elsewhere-1'),
      team: { driver: 'recorded', recording: record },
      runTests: async () => report(34),
      ...more,
    });
    prepare(here);
    change(here);
    return { here, outcome: await (await wholeManager(t)).callAgent('coder', CODER_INPUT, here) };
  };
  return { live, record, there, play };
}

function prepare({ root }: AgentContext): void {
  mkdirSync(join(root, 'prd'));
  writeFileSync(join(root, 'prd/prd.md'), 'the PRD');
}

const detail = (outcome: AgentOutcome): string =>
  outcome.kind === 'failed' ? `${outcome.reason}: ${outcome.detail}` : outcome.kind;

const WORK: readonly ChatAnswer[] = [
  calls(
    ['read_file', { path: 'prd/prd.md' }],
    ['write_file', { path: CODE, content: 'export const key = "hush-hush-key";\n' }],
  ),
  calls(['run_tests', {}]),
  says(fenced(CODER_RESULT)),
];

describe('a live call that is recorded', () => {
  it('goes on as without, and is played in another project with real files', async (t) => {
    const { live, there, play } = await recorded(t, WORK);
    assert.equal(live.kind, 'completed', detail(live));
    assert.match(readFileSync(join(there.root, CODE), 'utf8'), /hush-hush-key/);
    const { here, outcome } = await play();
    assert.equal(outcome.kind, 'completed', detail(outcome));
    assert.deepEqual(
      [outcome.record.source, outcome.record.model, outcome.record.driver],
      ['recorded', 'live-1', 'recorded'],
    );
    assert.equal(readFileSync(join(here.root, CODE), 'utf8'), 'export const key = "[redacted]";\n');
  });

  it('keeps no key, no path and no id', async (t) => {
    const { record, there } = await recorded(t, WORK);
    const text = readFileSync(record, 'utf8');
    for (const word of ['hush-hush-key', there.root, there.pid, there.call]) assert.ok(!text.includes(word), word);
    const { sum: _sum, ...header } = JSON.parse(text.split('\n', 1)[0] ?? '');
    assert.deepEqual(header, {
      schema: 1,
      source: 'recorded',
      model: 'live-1',
      date: '2026-01-02',
      redaction: 'secrets',
      requirement: there.requirement,
    });
  });

  it('diverges where a file that it read has changed', async (t) => {
    const { play } = await recorded(t, WORK);
    const { here, outcome } = await play({}, ({ root }) => writeFileSync(join(root, 'prd/prd.md'), 'another PRD'));
    assert.match(
      detail(outcome),
      /^replay_diverged: .*:2 \(coder of store, round 1, attempt 1, turn 1\): the answer of read_file .*expected "the PRD", got "another PRD"$/,
    );
    assert.equal(existsSync(join(here.root, CODE)), true, 'what was decided before is done');
  });

  it('diverges where the tests find something else, and not where they only take longer', async (t) => {
    const { play } = await recorded(t, WORK);
    const { outcome } = await play({ runTests: async () => ({ ...report(12), passed: 2 }) });
    assert.match(detail(outcome), /^replay_diverged: .*:3 .*the answer of run_tests .*1 passed.*2 passed/);
  });

  it('diverges where it is asked for another attempt', async (t) => {
    const { play } = await recorded(t, WORK);
    assert.match(
      detail((await play({ attempt: 2 })).outcome),
      /^replay_diverged: .*attempt 2, turn 1\): this turn was not recorded$/,
    );
  });

  it('holds the repair too', async (t) => {
    const { play } = await recorded(t, [says('done'), says(fenced(CODER_RESULT))]);
    assert.equal((await play()).outcome.kind, 'completed');
  });

  it('belongs to one requirement', async (t) => {
    const { base_url } = await chatServer(t, [says(fenced(CODER_RESULT))]);
    const record = join(scratchFolder(t), 'recording.ndjson');
    const manager = createAgentManager({ ...(await openSetting(t)), templates: TEMPLATES, clock: FIXED_CLOCK, record });
    const team = { driver: 'model' as const, base_url, model: 'm' };
    assert.equal((await manager.callAgent('coder', CODER_INPUT, coderContext(t, { team }))).kind, 'completed');
    const other = await manager.callAgent(
      'coder',
      CODER_INPUT,
      coderContext(t, { team, requirement: 'something else' }),
    );
    assert.match(detail(other), /^not_started: the recording that is being written is of another requirement$/);
  });
});

describe('a requirement that nobody recorded', () => {
  it('diverges at the first turn and says what to do', async (t) => {
    const context = coderContext(t, { team: { driver: 'recorded' }, requirement: 'a thing of my own' });
    const outcome = await (await wholeManager(t)).callAgent('coder', CODER_INPUT, context);
    assert.match(
      detail(outcome),
      /^replay_diverged: templates\/demo\/todo\/recording\.ndjson:\d+ .*give the project a team with a model/,
    );
  });
});
