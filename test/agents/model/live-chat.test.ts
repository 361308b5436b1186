import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secretsOf } from '../../../server/agents/secrets-of.ts';
import { CODER_INPUT, CODER_RESULT, coderContext, fenced } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { chatServer, says, streams } from '../../support/chat-server.ts';

describe("a team's endpoint", () => {
  it('is asked with the settings of the team', async (t) => {
    const usage = { choices: [], usage: { prompt_tokens: 1_000_000, completion_tokens: 100_000 } };
    const server = await chatServer(t, [
      streams({ choices: [{ delta: { content: fenced(CODER_RESULT) }, finish_reason: 'stop' }] }, usage),
    ]);
    const team = {
      driver: 'model' as const,
      base_url: `${server.base_url}//`,
      model: 'm-7',
      api_key_env: 'THE_KEY',
      temperature: 0.25,
      price: { input: 2, output: 20 },
    };
    const outcome = await (await wholeManager(t, { THE_KEY: 'k-1' })).callAgent(
      'coder',
      CODER_INPUT,
      coderContext(t, { team }),
    );
    assert.equal(outcome.kind, 'completed');
    assert.deepEqual(outcome.record.usage, { input_tokens: 1_000_000, output_tokens: 100_000, cost: 4 });
    const { headers, body } = server.calls[0] ?? assert.fail();
    assert.equal(headers.authorization, 'Bearer k-1');
    assert.deepEqual([body.model, body.temperature, body.tools.length], ['m-7', 0.25, 5]);
  });

  it('is asked without a key where the team has none', async (t) => {
    const server = await chatServer(t, [says(fenced(CODER_RESULT))]);
    const team = { driver: 'model' as const, base_url: server.base_url, model: 'm' };
    await (await wholeManager(t)).callAgent('coder', CODER_INPUT, coderContext(t, { team }));
    assert.equal(server.calls[0]?.headers.authorization, undefined);
  });

  it('is not asked at all where the key is not set', async (t) => {
    const server = await chatServer(t, [says('x')]);
    const team = { driver: 'model' as const, base_url: server.base_url, model: 'm', api_key_env: 'MISSING' };
    const outcome = await (await wholeManager(t)).callAgent('coder', CODER_INPUT, coderContext(t, { team }));
    assert.deepEqual(outcome.kind === 'failed' && [outcome.reason, outcome.detail], [
      'not_started',
      "the environment variable MISSING, which holds the model's key, is not set",
    ]);
    assert.equal(server.calls.length, 0);
  });

  it('ends a model that takes more turns than the team allows', async (t) => {
    const call = { index: 0, id: 'c', function: { name: 'list_files', arguments: '{}' } };
    const server = await chatServer(t, [
      streams({ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
    ]);
    const team = { driver: 'model' as const, base_url: server.base_url, model: 'm', max_turns: 3 };
    const outcome = await (await wholeManager(t)).callAgent('coder', CODER_INPUT, coderContext(t, { team }));
    assert.equal(outcome.kind === 'failed' && outcome.detail, 'no answer after 3 turns');
    assert.equal(server.calls.length, 3);
  });
});

describe('the values that no call may show', () => {
  const secret = (name: string) => ({ A_KEY: 'a', B_KEY: 'b' })[name];

  it('are those of the variables that the team names, as far as they are set', () => {
    assert.deepEqual(secretsOf({ driver: 'recorded' }, secret), []);
    assert.deepEqual(secretsOf({ driver: 'model', base_url: 'http://x', model: 'm', api_key_env: 'A_KEY' }, secret), [
      'a',
    ]);
    assert.deepEqual(secretsOf({ driver: 'model', base_url: 'http://x', model: 'm' }, secret), []);
    assert.deepEqual(secretsOf({ driver: 'command', command: ['x'], env: ['A_KEY', 'NONE', 'B_KEY'] }, secret), [
      'a',
      'b',
    ]);
    assert.deepEqual(secretsOf({ driver: 'acp', command: ['x'], env: ['B_KEY'] }, secret), ['b']);
  });
});
