import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { ChatRequest } from '../../../server/agents/model/chat-model.ts';
import { callWords } from '../../../server/agents/recorded/call-words.ts';
import { readHeader, readRecording } from '../../../server/agents/recorded/recording.ts';
import { NO_SUM, openLine, type RecordingHeader, sealedLine } from '../../../server/agents/recorded/recording-lines.ts';
import { createRecording } from '../../../server/agents/recorded/recording-writer.ts';
import { CODER_INPUT, coderContext } from '../../support/agent-context.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { scriptedChat } from '../../support/scripted-chat.ts';

const HEADER: RecordingHeader = {
  schema: 1,
  source: 'scripted',
  date: '2026-01-02',
  redaction: 'secrets',
  requirement: 'r',
};
const KEY = { role: 'coder', unit: 'store', round: 1, attempt: 1 } as const;
const QUIET = { text: () => {}, bytes: () => {} };

/** A recording of two turns; its lines. */
async function recorded(t: TestContext, secrets: readonly string[] = []): Promise<{ path: string; lines: string[] }> {
  const path = join(scratchFolder(t), 'recording.ndjson');
  const writer = createRecording(path, HEADER);
  const context = coderContext(t);
  const words = callWords(context, CODER_INPUT, secrets);
  const script = scriptedChat([
    {
      say: `in ${context.call} with key-of-mine`,
      calls: [['read_file', { path: `agent-state/calls/${context.call}/out` }]],
    },
    { say: 'done' },
  ]);
  const { chat, close } = writer.record(script, { key: KEY, words });
  const request: ChatRequest = { messages: [{ role: 'user', content: `go to ${context.root}/x` }], tools: [] };
  await chat.complete(request, context.signal, QUIET);
  const answer = {
    role: 'tool',
    tool_call_id: 'call_1',
    content: `took 12 ms on localhost:8123 ${'z'.repeat(500)}`,
  } as const;
  await chat.complete({ ...request, messages: [...request.messages, answer] }, context.signal, QUIET);
  close();
  return { path, lines: readFileSync(path, 'utf8').split('\n').slice(0, -1) };
}

describe('a recording', () => {
  it('holds a header and a line for each turn, with what each tool must answer', async (t) => {
    const { lines } = await recorded(t);
    const [header, first, second] = lines.map((line) => JSON.parse(line));
    const { sum: _sum, ...rest } = header;
    assert.deepEqual(rest, HEADER);
    assert.deepEqual(
      [first.role, first.unit, first.round, first.attempt, first.turn, second.turn],
      ['coder', 'store', 1, 1, 1, 2],
    );
    assert.match(first.request_digest, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      first.request.map((part: string) => part.split(' ')[0]),
      ['tools', 'user'],
    );
    assert.equal(first.expect[0].tool_call_id, 'call_1');
    assert.match(first.expect[0].text, /^took <duration> on localhost:<port> z+$/);
    assert.equal(first.expect[0].text.length, 400);
    assert.equal('expect' in second, false);
  });

  it('holds no ids of the run and no secrets', async (t) => {
    const { lines } = await recorded(t, ['key-of-mine']);
    const turn = JSON.parse(lines[1] ?? '');
    assert.equal(turn.message, 'in {{devloop:call}} with [redacted]');
    assert.equal(turn.tool_calls[0].arguments, '{"path":"agent-state/calls/{{devloop:call}}/out"}');
  });

  it('is read back whole', async (t) => {
    const { path, lines } = await recorded(t);
    const recording = readRecording(path, 'x');
    if (recording.kind === 'failed') assert.fail(recording.detail);
    assert.deepEqual(recording.header, HEADER);
    assert.deepEqual(readHeader(path), HEADER);
    const { sum: _sum, ...second } = JSON.parse(lines[2] ?? '');
    assert.deepEqual(recording.turn(KEY, 2), { line: 3, turn: second });
    assert.equal(recording.turn(KEY, 3), undefined);
    assert.equal(recording.turn({ ...KEY, round: 2 }, 1), undefined);
  });

  it('is begun in a new file only, for its owner to read', async (t) => {
    const { path } = await recorded(t);
    assert.throws(() => createRecording(path, HEADER), { code: 'EEXIST' });
    assert.equal(statSync(path).mode & 0o022, 0);
  });

  it('is refused with the first line that is not as it was written', async (t) => {
    const { path, lines } = await recorded(t);
    const changes: readonly (readonly [string, readonly string[], RegExp])[] = [
      [
        'a message',
        [lines[0] ?? '', (lines[1] ?? '').replace('"in ', '"In '), lines[2] ?? ''],
        /^x:2 \(coder of store, turn 1\)/,
      ],
      ['a tool call', [lines[0] ?? '', (lines[1] ?? '').replace('read_file', 'list_files'), lines[2] ?? ''], /^x:2 /],
      ['an expectation', [lines[0] ?? '', (lines[1] ?? '').replace('took', 'Took'), lines[2] ?? ''], /^x:2 /],
      ['the header', [(lines[0] ?? '').replace('"r"', '"s"'), ...lines.slice(1)], /^x:1:/],
      ['a line left out', [lines[0] ?? '', lines[2] ?? ''], /^x:2 \(coder of store, turn 2\)/],
      ['lines in another order', [lines[0] ?? '', lines[2] ?? '', lines[1] ?? ''], /^x:2 /],
      ['a line twice', [...lines, lines[2] ?? ''], /^x:4 /],
      ['a blank line', [...lines, ''], /^x:4:/],
    ];
    for (const [what, changed, where] of changes) {
      writeFileSync(path, `${changed.join('\n')}\n`);
      const read = readRecording(path, 'x');
      assert.equal(read.kind === 'failed' && read.reason, 'replay_diverged', what);
      assert.match(read.kind === 'failed' ? read.detail : '', where, what);
    }
  });

  it('is refused where it is cut off or empty, and is not there where there is none', async (t) => {
    const { path, lines } = await recorded(t);
    for (const text of ['', lines[0] ?? '', `${lines[0]}\n${lines[1]}`]) {
      writeFileSync(path, text);
      const read = readRecording(path, 'x');
      assert.equal(read.kind === 'failed' && read.reason, 'replay_diverged', JSON.stringify(text.slice(0, 10)));
    }
    const none = readRecording(`${path}.none`, 'x');
    assert.deepEqual(none, { kind: 'failed', reason: 'not_started', detail: 'there is no recording x' });
  });

  it('never takes a line in which one character was changed', () => {
    const content = fc.record({ message: fc.string(), n: fc.integer(), sum: fc.string() }, { noNullPrototype: true });
    fc.assert(
      fc.property(
        content,
        fc.string(),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (value, before, at, char) => {
          const { line, sum } = sealedLine(value, before);
          assert.deepEqual(openLine(line, before), { value, sum });
          const place = at % line.length;
          const changed = line.slice(0, place) + char + line.slice(place + 1);
          if (changed !== line) assert.equal(openLine(changed, before), undefined);
          assert.equal(openLine(line, `${before}x`), undefined);
        },
      ),
    );
    assert.equal(openLine('', NO_SUM), undefined);
  });
});
