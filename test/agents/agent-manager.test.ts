import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AgentDriver } from '../../server/agents/driver.ts';
import { failure } from '../../server/agents/driver.ts';
import type { AgentContext } from '../../server/domain/agent-call.ts';
import { CODER_INPUT, CODER_RESULT, coderContext, fenced, LIMITS } from '../support/agent-context.ts';
import { MODEL_TEAM, managerOf, managerOfChat, TEMPLATES } from '../support/agents-lab.ts';
import { scriptedChat } from '../support/scripted-chat.ts';

const folderOf = ({ root, call }: AgentContext) => join(root, 'agent-state/calls', call);
const transcriptOf = (context: AgentContext) =>
  readFileSync(join(folderOf(context), 'transcript.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an agent call', () => {
  it('completes with the result, and tells what served it and what it cost', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const chat = scriptedChat([
      { say: 'writing', calls: [['write_file', { path: 'units/store/code/a.mjs', content: 'export {}' }]] },
      { say: fenced(CODER_RESULT) },
    ]);
    const outcome = await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    const prompt = createHash('sha256')
      .update(readFileSync(join(TEMPLATES, 'prompts/coder.md')))
      .digest('hex')
      .slice(0, 12);
    const { duration_ms, ...record } = outcome.record;
    assert.ok(duration_ms >= 0);
    assert.deepEqual(
      { ...outcome, record },
      {
        kind: 'completed',
        result: { role: 'coder', ...CODER_RESULT },
        record: {
          driver: 'model',
          model: 'scripted',
          layers: ['tool_jail'],
          usage: { input_tokens: 20, output_tokens: 10 },
          prompt,
        },
      },
    );
  });

  it('gives the agent its instructions, its input as JSON, and what it may write', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const chat = scriptedChat([{ say: fenced(CODER_RESULT) }]);
    await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    const [system, user] = chat.requests[0]?.messages ?? [];
    assert.match(system?.content ?? '', /^# Coder · prompt version \d+/);
    assert.match(user?.content ?? '', /"unit": "store"/);
    assert.match(user?.content ?? '', /You may write: `units\/store\/code\/\*\*`/);
    assert.ok(!user?.content.includes(context.call) && !user?.content.includes(context.root));
  });

  it('gives the last report in parsed form, and its raw output aside', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const chat = scriptedChat([{ say: fenced(CODER_RESULT) }]);
    const last_report = {
      outcome: 'red',
      runner: 'node:test',
      command: ['node'],
      exit_code: 1,
      signal: null,
      duration_ms: 77,
      passed: 0,
      failed: 1,
      skipped: 0,
      tests: [{ id: 'adds', status: 'failed', message: '1 is not 2', duration_ms: 5 }],
      missing_tests: [],
      output_tail: 'raw 77ms',
    } as const;
    await managerOfChat(chat).callAgent('coder', { ...CODER_INPUT, last_report }, context);
    const user = chat.requests[0]?.messages[1];
    assert.match(user?.content ?? '', /outcome: red\n0 passed, 1 failed, 0 skipped\nfailed: adds\n {2}1 is not 2$/);
    assert.ok(!user?.content.includes('77'));
    assert.equal(user?.role === 'user' && user.aside, 'The end of the output:\nraw 77ms');
  });

  it('asks once for a repair that names what is wrong, in the same conversation', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const chat = scriptedChat([{ say: fenced({ ...CODER_RESULT, attempt: 7 }) }, { say: fenced(CODER_RESULT) }]);
    const outcome = await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    assert.equal(outcome.kind, 'completed');
    const repair = chat.requests[1]?.messages.at(-1)?.content ?? '';
    assert.match(repair, /^Your result does not fit:\n\n- attempt: 1 was asked for, not 7\n/);
    assert.equal(chat.requests[1]?.messages.length, 4);
  });

  it('fails with bad_output where the repair does not fit either', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const chat = scriptedChat([{ say: 'done' }, { say: 'really done' }, { say: fenced(CODER_RESULT) }]);
    const outcome = await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'bad_output');
    assert.equal(chat.requests.length, 2);
  });

  it('reads the result from its own file, and not from one that an earlier run left', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    mkdirSync(join(folderOf(context), 'out'), { recursive: true });
    writeFileSync(join(folderOf(context), 'out/result.json'), JSON.stringify({ ...CODER_RESULT, summary: 'old' }));
    const path = `agent-state/calls/${context.call}/out/result.json`;
    const write = {
      calls: [['write_file', { path, content: JSON.stringify({ ...CODER_RESULT, summary: 'new' }) }] as const],
    };
    const outcome = await managerOfChat(scriptedChat([write, { say: 'see the file' }])).callAgent(
      'coder',
      CODER_INPUT,
      context,
    );
    assert.equal(outcome.kind === 'completed' && outcome.result.role === 'coder' && outcome.result.summary, 'new');
  });

  it('takes a link in place of the result for none', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const outside = join(context.root, '..', 'outside.json');
    writeFileSync(outside, JSON.stringify(CODER_RESULT));
    const linking: AgentDriver = {
      start: async () => ({
        kind: 'session',
        about: { layers: [] },
        prompt: async () => {
          if (!existsSync(join(folderOf(context), 'out/result.json')))
            symlinkSync(outside, join(folderOf(context), 'out/result.json'));
          return { kind: 'answer', text: 'done' };
        },
        end: async () => {},
      }),
    };
    const outcome = await managerOf(linking).callAgent('coder', CODER_INPUT, context);
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'bad_output');
  });

  it('does not start where its folder leads elsewhere', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    mkdirSync(join(context.root, '..', 'elsewhere'));
    symlinkSync('../elsewhere', join(context.root, 'agent-state'));
    const outcome = await managerOfChat(scriptedChat([])).callAgent('coder', CODER_INPUT, context);
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'not_started');
    assert.equal(existsSync(join(context.root, '..', 'elsewhere', 'calls')), false);
  });

  it('keeps a transcript without secrets or control signs, for its owner only', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM });
    const key = `sk-${'a1'.repeat(20)}`;
    const chat = scriptedChat([
      { say: `the key is ${key}, mine is hush-hush\u001b[2J\u009b`, calls: [['search', { text: key }]] },
      { say: fenced(CODER_RESULT) },
    ]);
    await managerOfChat(chat, ['hush-hush']).callAgent('coder', CODER_INPUT, context);
    const raw = readFileSync(join(folderOf(context), 'transcript.ndjson'), 'utf8');
    assert.ok(!raw.includes(key) && !raw.includes('hush-hush') && !raw.includes('\u009b') && !raw.includes('\u001b'));
    assert.deepEqual(
      transcriptOf(context).map(({ kind }) => kind),
      ['call', 'prompt', 'message', 'tool_result', 'message', 'completed'],
    );
    assert.equal(transcriptOf(context)[2].text, 'the key is [redacted], mine is [redacted]\u001b[2J\u009b');
    assert.equal(statSync(join(folderOf(context), 'transcript.ndjson')).mode & 0o777, 0o600);
  });

  it('hands on the output as it comes, made safe, and to the end', async (t) => {
    let shown = '';
    const context = coderContext(t, {
      team: MODEL_TEAM,
      onOutput: (text) => {
        shown += text;
      },
    });
    const chat = scriptedChat([{ say: `hello \u001b[1m ghp_${'b'.repeat(36)}` }, { say: fenced(CODER_RESULT) }]);
    await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    assert.ok(shown.startsWith('hello ␛[1m [redacted]'), shown);
    assert.ok(shown.includes('"unit_id":"store"'));
  });

  it('counts what tools write against the limit', async (t) => {
    const context = coderContext(t, { team: MODEL_TEAM, limits: { ...LIMITS, write_bytes: 10 } });
    const write = (content: string) => ({ calls: [['write_file', { path: 'units/store/code/a', content }] as const] });
    const chat = scriptedChat([write('12345'), write('123456'), { say: fenced(CODER_RESULT) }]);
    const outcome = await managerOfChat(chat).callAgent('coder', CODER_INPUT, context);
    assert.deepEqual(outcome.kind === 'failed' && [outcome.reason, outcome.detail], [
      'output_limit',
      'wrote more than 10 bytes',
    ]);
  });

  it('is not begun once it is cancelled, and ends what a driver started whatever happens', async (t) => {
    const cancelled = new AbortController();
    cancelled.abort();
    let [started, ended] = [0, 0];
    const driver: AgentDriver = {
      start: async () => {
        started += 1;
        return {
          kind: 'session',
          about: { layers: [] },
          prompt: async () => failure('agent_error', 'broke'),
          end: async () => {
            ended += 1;
          },
        };
      },
    };
    const never = await managerOf(driver).callAgent(
      'coder',
      CODER_INPUT,
      coderContext(t, { team: MODEL_TEAM, signal: cancelled.signal }),
    );
    assert.equal(never.kind === 'failed' && never.reason, 'cancelled');
    assert.equal(started, 0);
    const broke = await managerOf(driver).callAgent('coder', CODER_INPUT, coderContext(t, { team: MODEL_TEAM }));
    assert.equal(broke.kind === 'failed' && broke.detail, 'broke');
    assert.deepEqual([started, ended], [1, 1]);
  });
});
