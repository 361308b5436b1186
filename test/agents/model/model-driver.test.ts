import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { makeCallFolder } from '../../../server/agents/call-folder.ts';
import type { AgentCall } from '../../../server/agents/driver.ts';
import { failure } from '../../../server/agents/driver.ts';
import { modelDriver } from '../../../server/agents/model/model-driver.ts';
import { CODER_INPUT, coderContext } from '../../support/agent-context.ts';
import { type ScriptedTurn, scriptedChat } from '../../support/scripted-chat.ts';

async function talk(
  t: TestContext,
  turns: readonly ScriptedTurn[],
  more: { max_turns?: number; signal?: AbortSignal } = {},
) {
  const notes: { kind: string; text?: unknown }[] = [];
  const call: AgentCall = {
    role: 'coder',
    input: CODER_INPUT,
    context: coderContext(t),
    system: 'You write code.',
    signal: more.signal ?? new AbortController().signal,
    progress: {
      said: () => {},
      note: (entry) => notes.push(entry),
      heard: () => {},
      wrote: () => {},
      spent: () => {},
      working: (work) => work(),
    },
  };
  makeCallFolder(call.context.root, call.context.call);
  const chat = scriptedChat(turns);
  let closed = 0;
  const driver = modelDriver(() => ({
    kind: 'chat',
    chat,
    about: { model: 'm' },
    max_turns: more.max_turns ?? 10,
    close: () => {
      closed += 1;
    },
  }));
  const session = await driver.start(call);
  if (session.kind === 'failed') assert.fail(session.detail);
  return { session, chat, notes, root: call.context.root, closed: () => closed };
}

const write = (path: string, content: string): readonly [string, unknown] => ['write_file', { path, content }];

describe('the model driver', () => {
  it('runs the tools that the model calls, in order, and answers each', async (t) => {
    const { session, chat, root } = await talk(t, [
      { say: 'now', calls: [write('units/store/code/a', '1'), write('units/store/code/a', '2')] },
      { calls: [['read_file', { path: 'units/store/code/a' }]] },
      { say: 'all done' },
    ]);
    assert.deepEqual(await session.prompt({ text: 'go', aside: 'raw' }), { kind: 'answer', text: 'all done' });
    assert.equal(readFileSync(join(root, 'units/store/code/a'), 'utf8'), '2');
    assert.deepEqual(chat.requests.at(-1)?.messages, [
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'go', aside: 'raw' },
      {
        role: 'assistant',
        content: 'now',
        tool_calls: [
          { id: 'call_1', name: 'write_file', arguments: '{"path":"units/store/code/a","content":"1"}' },
          { id: 'call_2', name: 'write_file', arguments: '{"path":"units/store/code/a","content":"2"}' },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'wrote units/store/code/a' },
      { role: 'tool', tool_call_id: 'call_2', content: 'wrote units/store/code/a' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_3', name: 'read_file', arguments: '{"path":"units/store/code/a"}' }],
      },
      { role: 'tool', tool_call_id: 'call_3', content: '2' },
    ]);
  });

  it('tells the model what is wrong with a call, and goes on', async (t) => {
    const { session, chat } = await talk(t, [
      {
        calls: [
          ['write_file', '{"path": "units'],
          ['fly', {}],
        ],
      },
      { say: 'sorry' },
    ]);
    await session.prompt({ text: 'go' });
    const answers = chat.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    assert.deepEqual(answers, [
      'error: the arguments are not JSON; send the call again',
      'error: there is no tool "fly"',
    ]);
  });

  it('continues the same conversation at the second prompt', async (t) => {
    const { session, chat } = await talk(t, [{ say: 'one' }, { say: 'two' }]);
    await session.prompt({ text: 'first' });
    assert.deepEqual(await session.prompt({ text: 'second' }), { kind: 'answer', text: 'two' });
    assert.deepEqual(
      chat.requests[1]?.messages.map(({ content }) => content),
      ['You write code.', 'first', 'one', 'second'],
    );
  });

  it('ends a model that never comes to an end, over both prompts', async (t) => {
    const call = { calls: [['list_files', {}] as const] };
    const { session } = await talk(t, [call, { say: 'x' }, call, call], { max_turns: 3 });
    assert.equal((await session.prompt({ text: 'go' })).kind, 'answer');
    assert.deepEqual(await session.prompt({ text: 'again' }), failure('agent_error', 'no answer after 3 turns'));
  });

  it('calls neither tools nor the model after a stop', async (t) => {
    const controller = new AbortController();
    const { session, chat, root } = await talk(t, [{ calls: [write('units/store/code/a', '1')] }], {
      signal: controller.signal,
    });
    const reply = session.prompt({ text: 'go' });
    controller.abort(failure('cancelled', 'now'));
    assert.deepEqual(await reply, failure('cancelled', 'now'));
    assert.equal(chat.requests.length, 1);
    assert.throws(() => readFileSync(join(root, 'units/store/code/a')), { code: 'ENOENT' });
  });

  it('notes what was said and done, and closes what it opened', async (t) => {
    const { session, notes, closed } = await talk(t, [{ say: 'hm', calls: [['list_files', {}]] }, { say: 'done' }]);
    await session.prompt({ text: 'go' });
    await session.end();
    assert.deepEqual(
      notes.map(({ kind, text }) => `${kind}: ${text}`),
      ['message: hm', 'tool_result: no files', 'message: done'],
    );
    assert.equal(closed(), 1);
    assert.deepEqual(session.about, { model: 'm', layers: ['tool_jail'] });
  });

  it('passes on why there is no model', async (t) => {
    const driver = modelDriver(() => failure('not_started', 'no key'));
    const context = coderContext(t);
    const progress = {
      said: () => {},
      note: () => {},
      heard: () => {},
      wrote: () => {},
      spent: () => {},
      working: <T>(work: () => Promise<T>) => work(),
    };
    const call: AgentCall = {
      role: 'coder',
      input: CODER_INPUT,
      context,
      system: '',
      signal: context.signal,
      progress,
    };
    assert.deepEqual(await driver.start(call), failure('not_started', 'no key'));
  });
});
