import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { failure } from '../../../server/agents/driver.ts';
import type { ChatMessage } from '../../../server/agents/model/chat-model.ts';
import { callWords } from '../../../server/agents/recorded/call-words.ts';
import { readRecording } from '../../../server/agents/recorded/recording.ts';
import { createRecording } from '../../../server/agents/recorded/recording-writer.ts';
import { replayChat } from '../../../server/agents/recorded/replay-chat.ts';
import { parseCallId, parseProjectId } from '../../../server/domain/ids.ts';
import { CODER_INPUT, coderContext } from '../../support/agent-context.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { scriptedChat } from '../../support/scripted-chat.ts';

const KEY = { role: 'coder', unit: 'store', round: 1, attempt: 1 } as const;
const TOOLS = [{ name: 'read_file', description: 'reads', parameters: {} }];

/** Two turns that were recorded in another project, ready to be played in this one. */
async function lab(t: TestContext, hint = '') {
  const path = join(scratchFolder(t), 'recording.ndjson');
  const there = coderContext(t, { pid: parseProjectId('p-otherone'), call: parseCallId('call-fedcba987654') });
  const writer = createRecording(path, {
    schema: 1,
    source: 'recorded',
    date: '2026-01-02',
    redaction: 'secrets',
    requirement: 'r',
  });
  const script = scriptedChat([
    {
      say: 'reading',
      calls: [
        ['read_file', { path: 'a' }],
        ['read_file', { path: there.call }],
      ],
    },
    { say: `end of ${there.call}` },
  ]);
  const { chat, close } = writer.record(script, { key: KEY, words: callWords(there, CODER_INPUT) });
  const quiet = { text: () => {}, bytes: () => {} };
  const ask = (root: string): ChatMessage[] => [
    { role: 'system', content: 'rules' },
    { role: 'user', content: `work in ${root}` },
  ];
  const answered = (root: string, content = 'text of a', took = '3 ms'): ChatMessage[] => [
    ...ask(root),
    { role: 'assistant', content: 'reading', tool_calls: [] },
    { role: 'tool', tool_call_id: 'call_1', content, aside: took },
    { role: 'tool', tool_call_id: 'call_2', content: `${took} at 2026-01-02T03:04:05Z` },
  ];
  await chat.complete({ messages: ask(there.root), tools: TOOLS }, there.signal, quiet);
  await chat.complete({ messages: answered(there.root), tools: TOOLS }, there.signal, quiet);
  close();
  const here = coderContext(t);
  const recording = readRecording(path, 'demo/recording.ndjson');
  if (recording.kind === 'failed') assert.fail(recording.detail);
  const replay = replayChat({ recording, key: KEY, hint, words: callWords(here, CODER_INPUT) });
  return {
    here,
    ask,
    answered,
    play: (messages: ChatMessage[], tools = TOOLS) => replay.complete({ messages, tools }, here.signal, quiet),
  };
}

const detail = (reply: { kind: string; reason?: string; detail?: string }): string => {
  assert.equal(reply.reason, 'replay_diverged');
  return reply.detail ?? '';
};

describe('a replay', () => {
  it('says in this project what was said in the other', async (t) => {
    const { here, ask, answered, play } = await lab(t);
    const first = await play(ask(here.root));
    assert.deepEqual(first, {
      kind: 'reply',
      message: 'reading',
      tool_calls: [
        { id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
        { id: 'call_2', name: 'read_file', arguments: `{"path":"${here.call}"}` },
      ],
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    const second = await play(answered(here.root, 'text of a', '4.5 ms'));
    assert.equal(second.kind === 'reply' && second.message, `end of ${here.call}`);
  });

  it('stops where the request differs, and says where', async (t) => {
    const { here, ask, play } = await lab(t);
    const messages = ask(here.root).with(1, { role: 'user', content: 'work elsewhere' });
    const where =
      /^demo\/recording.ndjson:2 \(coder of store, round 1, attempt 1, turn 1\): the request differs \(digest [0-9a-f]{12} recorded, [0-9a-f]{12} now\): part 3 \(user\) was user [0-9a-f]{12}, now user [0-9a-f]{12}: "work elsewhere"$/;
    assert.match(detail(await play(messages)), where);
  });

  it('stops where a tool or an instruction differs', async (t) => {
    const { here, ask, play } = await lab(t);
    assert.match(detail(await play(ask(here.root), [])), /part 1 \(tools\)/);
    const other = await lab(t);
    const messages = other.ask(other.here.root).with(0, { role: 'system', content: 'other rules' });
    assert.match(detail(await other.play(messages)), /part 2 \(system\)/);
  });

  it('stops where a tool answers what is not expected, at the turn that called it', async (t) => {
    const { here, ask, answered, play } = await lab(t);
    await play(ask(here.root));
    const said = detail(await play(answered(here.root, 'text of b')));
    assert.equal(
      said,
      'demo/recording.ndjson:2 (coder of store, round 1, attempt 1, turn 1): the answer of read_file (call_1) is not the expected one: expected "text of a", got "text of b"',
    );
  });

  it('stops where a message is missing', async (t) => {
    const { here, ask, play } = await lab(t);
    await play(ask(here.root));
    assert.match(detail(await play(ask(here.root))), /the answer of read_file \(call_1\)/);
  });

  it('stops where nothing more was recorded, with the hint', async (t) => {
    const { here, ask, answered, play } = await lab(t, 'Choose a model.');
    await play(ask(here.root));
    await play(answered(here.root));
    assert.equal(
      detail(await play([])),
      'demo/recording.ndjson (coder of store, round 1, attempt 1, turn 3): this turn was not recorded Choose a model.',
    );
  });

  it('gives way to a stop', async (t) => {
    const { ask } = await lab(t);
    const controller = new AbortController();
    controller.abort(failure('timeout_wall', 'late'));
    const here = coderContext(t);
    const none = { kind: 'recording', name: 'n', header: {} as never, turn: () => undefined } as const;
    const replay = replayChat({ recording: none, key: KEY, hint: '', words: callWords(here, CODER_INPUT) });
    const reply = await replay.complete({ messages: ask('x'), tools: [] }, controller.signal, {
      text: () => {},
      bytes: () => {},
    });
    assert.deepEqual(reply, failure('timeout_wall', 'late'));
  });
});
