import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Decoded } from '../../../server/agents/command/decoder.ts';
import { decoderOf } from '../../../server/agents/command/decoder-of.ts';

function decoded(name: Parameters<typeof decoderOf>[0], events: readonly (object | string)[]) {
  const decoder = decoderOf(name);
  const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  const all: Decoded[] = lines.flatMap((line) => decoder.line(line));
  return {
    message: decoder.message(),
    kinds: all.map(({ kind }) => kind),
    of: (kind: Decoded['kind']) => all.filter((one) => one.kind === kind),
  };
}

describe('the output of Claude Code', () => {
  const assistant = (...content: object[]) => ({
    type: 'assistant',
    message: { role: 'assistant', content },
    session_id: 's',
  });
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'the end',
    session_id: 's',
    total_cost_usd: 0.25,
  };

  it('is read to its result', () => {
    const { message, kinds, of } = decoded('claude', [
      { type: 'system', subtype: 'init', session_id: 's-1', model: 'm', tools: [] },
      assistant(
        { type: 'text', text: 'looking' },
        { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a' } },
      ),
      {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'text of a' }] },
      },
      assistant({ type: 'thinking', thinking: 'hm' }),
      assistant({ type: 'text', text: 'the end' }),
      {
        ...result,
        usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 10 },
      },
    ]);
    assert.equal(message, 'the end');
    assert.deepEqual(kinds, ['session', 'said', 'note', 'note', 'said', 'usage', 'done']);
    assert.deepEqual(of('session'), [{ kind: 'session', id: 's-1', model: 'm' }]);
    assert.deepEqual(of('usage'), [{ kind: 'usage', usage: { input_tokens: 115, output_tokens: 7, cost: 0.25 } }]);
  });

  it('may end in an error', () => {
    const { of, kinds } = decoded('claude', [
      { ...result, subtype: 'error_max_turns', result: undefined },
      { ...result, is_error: true },
    ]);
    assert.ok(!kinds.includes('done'));
    assert.deepEqual(
      of('failed').map((one) => one.kind === 'failed' && one.detail),
      ['the agent ended with error_max_turns: no word why', 'the agent ended with success: the end'],
    );
  });
});

describe('the output of Codex', () => {
  it('is read to the end of its turn, and an error on the way is none at the end', () => {
    const { message, kinds, of } = decoded('codex', [
      { type: 'thread.started', thread_id: 'th' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: '1', type: 'reasoning', text: 'hm' } },
      { type: 'item.started', item: { id: '2', type: 'command_execution', command: 'ls', status: 'in_progress' } },
      { type: 'item.completed', item: { id: '2', type: 'command_execution', command: 'ls', exit_code: 0 } },
      { type: 'error', message: 'stream lost, trying again' },
      { type: 'item.completed', item: { id: '3', type: 'agent_message', text: 'first' } },
      { type: 'item.completed', item: { id: '4', type: 'agent_message', text: 'last' } },
      { type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 3 } },
    ]);
    assert.equal(message, 'last');
    assert.deepEqual(kinds, ['session', 'note', 'note', 'said', 'said', 'usage', 'done']);
    assert.deepEqual(of('usage'), [{ kind: 'usage', usage: { input_tokens: 10, output_tokens: 3 } }]);
  });

  it('may say that the turn failed', () => {
    const { of } = decoded('codex', [{ type: 'turn.failed', error: { message: 'no credit' } }]);
    assert.deepEqual(of('failed'), [{ kind: 'failed', reason: 'agent_error', detail: 'no credit' }]);
  });
});

describe('the output of Gemini CLI', () => {
  it('is put together from pieces since the last tool call', () => {
    const { message, kinds, of } = decoded('gemini', [
      { type: 'init', timestamp: 't', session_id: 's', model: 'g' },
      { type: 'message', role: 'user', content: 'the prompt' },
      { type: 'message', role: 'assistant', content: 'looking', delta: true },
      { type: 'tool_use', tool_name: 'read_file', tool_id: '1', parameters: { path: 'a' } },
      { type: 'tool_result', tool_id: '1', status: 'success', output: 'text' },
      { type: 'message', role: 'assistant', content: 'the ', delta: true },
      { type: 'message', role: 'assistant', content: 'end', delta: true },
      { type: 'result', status: 'success', stats: { total_tokens: 9, input_tokens: 5, output_tokens: 4 } },
    ]);
    assert.equal(message, 'the end');
    assert.deepEqual(kinds, ['session', 'said', 'note', 'note', 'said', 'said', 'usage', 'done']);
    assert.deepEqual(of('usage'), [{ kind: 'usage', usage: { input_tokens: 5, output_tokens: 4 } }]);
  });

  it('may end in an error', () => {
    const { of } = decoded('gemini', [
      { type: 'error', severity: 'warning', message: 'slow' },
      { type: 'result', status: 'error', error: { type: 'x', message: 'no key' } },
    ]);
    assert.deepEqual(of('failed'), [{ kind: 'failed', reason: 'agent_error', detail: 'no key' }]);
  });
});

describe('any output', () => {
  it('may have noise, blank lines and events of the future in it', () => {
    for (const name of ['claude', 'codex', 'gemini'] as const) {
      const { kinds, of } = decoded(name, [
        'npm warn old',
        '',
        '{"type":"of the future"}',
        '[1,2]',
        '"text"',
        '{"torn": ',
      ]);
      assert.deepEqual(kinds, ['said', 'said'], name);
      assert.deepEqual(
        of('said').map((one) => one.kind === 'said' && one.text),
        ['npm warn old\n', '{"torn": \n'],
      );
    }
  });

  it('of a plain program is its answer, of very much the end', () => {
    const { message } = decoded('plain', ['one', 'two']);
    assert.equal(message, 'one\ntwo\n');
    const { message: long } = decoded('plain', [...Array(30).fill('x'.repeat(100_000)), 'end']);
    assert.ok(long.length === 2_000_000 && long.endsWith('x\nend\n'));
  });
});
