import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { failure } from '../../../server/agents/driver.ts';
import type { ChatMessage, ReplyListener } from '../../../server/agents/model/chat-model.ts';
import { type ChatEndpoint, openAiChat } from '../../../server/agents/model/openai-chat.ts';
import { answersWith, type ChatAnswer, chatServer, event, says, streams } from '../../support/chat-server.ts';

const QUIET: ReplyListener = { text: () => {}, bytes: () => {} };
const HELLO: readonly ChatMessage[] = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'hello', aside: 'raw output' },
];
const BUSY = answersWith(429, { error: { message: 'slow down' } });

/** A chat on a scripted server; waits are noted and not waited for. */
async function lab(t: TestContext, answers: readonly ChatAnswer[], more: Partial<ChatEndpoint> = {}) {
  const server = await chatServer(t, answers);
  const waits: number[] = [];
  const chat = openAiChat({ base_url: server.base_url, model: 'm-1', ...more }, async (ms) => {
    waits.push(Math.round(ms));
  });
  const heard: string[] = [];
  const listener = { text: (piece: string) => heard.push(piece), bytes: () => {} };
  const ask = (messages = HELLO, signal = new AbortController().signal) =>
    chat.complete({ messages, tools: [] }, signal, listener);
  return { server, waits, ask, heard, chat };
}

const delta = (given: object): object => ({ choices: [{ delta: given }] });
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] };

describe('a chat endpoint', () => {
  it('is asked with the key, the model, and what is aside after what is not', async (t) => {
    const { server, ask } = await lab(t, [says('hi')], { api_key: 'k', temperature: 0.5 });
    await ask();
    const { headers, body } = server.calls[0] ?? assert.fail();
    assert.equal(headers.authorization, 'Bearer k');
    assert.deepEqual(body, {
      model: 'm-1',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'hello\n\nraw output' },
      ],
      temperature: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('streams its words as they come', async (t) => {
    const { ask, heard } = await lab(t, [streams(delta({ content: 'he' }), delta({ content: 'llo' }), stop)]);
    const reply = await ask();
    assert.deepEqual(reply, { kind: 'reply', message: 'hello', tool_calls: [], usage: {} });
    assert.deepEqual(heard, ['he', 'llo']);
  });

  it('may cut a character, a line and an event anywhere', async (t) => {
    const bytes = Buffer.from(`: ping\n\n${event(delta({ content: 'añ日😀' }))}${event(stop)}data: [DONE]\n\n`);
    const { ask } = await lab(t, [
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const byte of bytes) if (!response.write(Uint8Array.of(byte))) await once(response, 'drain');
        response.end();
      },
    ]);
    const reply = await ask();
    assert.equal(reply.kind === 'reply' && reply.message, 'añ日😀');
  });

  it('sends tool calls in pieces, several at once', async (t) => {
    const piece = (index: number, given: object) => delta({ tool_calls: [{ index, ...given }] });
    const { ask } = await lab(t, [
      streams(
        piece(0, { id: 'a', function: { name: 'read_file', arguments: '' } }),
        piece(0, { function: { arguments: '{"path"' } }),
        piece(1, { id: 'b', function: { name: 'search', arguments: '{"text":' } }),
        piece(0, { function: { arguments: ':"x"}' } }),
        piece(1, { function: { arguments: '"y"}' } }),
        { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      ),
    ]);
    const reply = await ask();
    assert.deepEqual(reply.kind === 'reply' && reply.tool_calls, [
      { id: 'a', name: 'read_file', arguments: '{"path":"x"}' },
      { id: 'b', name: 'search', arguments: '{"text":"y"}' },
    ]);
  });

  it('may leave out indexes and ids of tool calls', async (t) => {
    const call = (given: object) => delta({ tool_calls: [given] });
    const { ask } = await lab(t, [
      streams(
        call({ id: 'a', function: { name: 'one', arguments: '{' } }),
        call({ function: { arguments: '}' } }),
        call({ id: 'b', function: { name: 'two', arguments: '{}' } }),
        stop,
      ),
      streams(call({ index: 0, function: { name: 'three', arguments: '{}' } }), stop),
    ]);
    const [first, second] = [await ask(), await ask()];
    assert.deepEqual(first.kind === 'reply' && first.tool_calls.map(({ id, arguments: text }) => id + text), [
      'a{}',
      'b{}',
    ]);
    assert.deepEqual(second.kind === 'reply' && second.tool_calls, [{ id: 'call_1', name: 'three', arguments: '{}' }]);
  });

  it('may answer whole, without a stream', async (t) => {
    const { ask } = await lab(t, [
      answersWith(200, {
        choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      }),
    ]);
    assert.deepEqual(await ask(), {
      kind: 'reply',
      message: 'hi',
      tool_calls: [],
      usage: { input_tokens: 3, output_tokens: 1 },
    });
  });

  it('is given the history with malformed arguments mended and empty words as null', async (t) => {
    const { server, ask } = await lab(t, [says('ok')]);
    await ask([
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'x', arguments: '{"torn' }] },
      { role: 'tool', tool_call_id: 'a', content: 'error', aside: 'more' },
    ]);
    assert.deepEqual(server.calls[0]?.body.messages, [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'error\n\nmore' },
    ]);
  });

  it('tells its usage, which the price makes a cost', async (t) => {
    const usage = { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 500 } };
    const { ask } = await lab(t, [streams(delta({ content: 'x' }), stop, usage)], { price: { input: 2, output: 10 } });
    const reply = await ask();
    assert.deepEqual(reply.kind === 'reply' && reply.usage, { input_tokens: 1000, output_tokens: 500, cost: 0.007 });
  });
});

describe('a busy endpoint', () => {
  it('is asked again after 1, 2, 4 and 8 seconds with some chance, then no more', async (t) => {
    const { server, ask, waits } = await lab(t, [BUSY]);
    const reply = await ask();
    assert.equal(server.calls.length, 5);
    assert.deepEqual(
      reply,
      failure('agent_error', 'the endpoint answered 429: {"error":{"message":"slow down"}}; asked 5 times'),
    );
    for (const [i, ms] of waits.entries()) assert.ok(ms >= 750 * 2 ** i && ms <= 1250 * 2 ** i, `${ms}`);
  });

  it('may say itself when, in seconds or as a date, and is not waited for longer than two minutes', async (t) => {
    const at = (value: string) => answersWith(503, {}, { 'retry-after': value });
    const date = new Date(Date.now() + 20_000).toUTCString();
    const { ask, waits } = await lab(t, [at('7'), at(date), at('86400'), says('ok')]);
    assert.equal((await ask()).kind, 'reply');
    assert.equal(waits[0], 7000);
    assert.ok((waits[1] ?? 0) > 17_000 && (waits[1] ?? 0) <= 20_000, `${waits[1]}`);
    assert.equal(waits[2], 120_000);
  });

  it('is asked again where the connection or the stream broke off, or an event makes no sense', async (t) => {
    const torn: ChatAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(delta({ content: 'hal' })));
      setImmediate(() => response.destroy());
    };
    const short: ChatAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(event(delta({ content: 'hal' })));
    };
    const noise: ChatAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices": nothing}\n\ndata: [DONE]\n\n');
    };
    const overloaded = streams({ error: { message: 'overloaded', code: 'overloaded_error' } });
    const { server, ask } = await lab(t, [torn, short, noise, overloaded, says('whole')]);
    const reply = await ask();
    assert.equal(reply.kind === 'reply' && reply.message, 'whole');
    assert.equal(server.calls.length, 5);
  });

  it('that cannot be reached at all is an agent_error that names the reason', async (t) => {
    const { chat } = await lab(t, [says('x')], { base_url: 'http://127.0.0.1:9' });
    const reply = await chat.complete({ messages: HELLO, tools: [] }, new AbortController().signal, QUIET);
    assert.equal(reply.kind === 'failed' && reply.reason, 'agent_error');
    assert.match(reply.kind === 'failed' ? reply.detail : '', /could not be reached/);
  });
});

describe('a failing endpoint', () => {
  const failing = async (t: TestContext, answer: ChatAnswer) => {
    const { server, ask } = await lab(t, [answer]);
    const reply = await ask();
    assert.equal(server.calls.length, 1, 'asked once');
    assert.equal(reply.kind, 'failed');
    return reply.kind === 'failed' ? reply : assert.fail();
  };

  it('is not asked again where the request is wrong or the money is gone', async (t) => {
    assert.equal(
      (await failing(t, answersWith(401, { error: 'no' }))).detail,
      'the endpoint answered 401: {"error":"no"}',
    );
    assert.equal((await failing(t, answersWith(429, { error: { code: 'insufficient_quota' } }))).reason, 'agent_error');
    assert.equal((await failing(t, answersWith(302, {}, { location: 'http://127.0.0.1:9/' }))).reason, 'agent_error');
  });

  it('says when the context is full', async (t) => {
    const full = { error: { code: 'context_length_exceeded', message: 'This model has a limit' } };
    assert.match((await failing(t, answersWith(400, full))).detail, /^the model's context is full/);
    assert.match(
      (await failing(t, streams({ error: { message: 'prompt is too long', code: 400 } }))).detail,
      /context is full/,
    );
  });

  it('may refuse', async (t) => {
    assert.deepEqual(
      await failing(t, streams(delta({ refusal: 'I cannot' }), stop)),
      failure('refused', 'the model declined: I cannot'),
    );
    const filtered = streams({ choices: [{ delta: {}, finish_reason: 'content_filter' }] });
    assert.equal((await failing(t, filtered)).reason, 'refused');
  });

  it('cannot put escape sequences or pages of text into the message', async (t) => {
    const { detail } = await failing(t, answersWith(400, { error: `\u009b31m${'x'.repeat(5000)}` }));
    assert.ok(detail.length < 500 && !detail.includes('\u009b'));
  });
});

describe('a stop', () => {
  it('ends a reply at once, with its reason', async (t) => {
    const hanging: ChatAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(delta({ content: 'and then' })));
    };
    const { chat } = await lab(t, [hanging]);
    const controller = new AbortController();
    const listener = { text: () => controller.abort(failure('timeout_idle', 'silent')), bytes: () => {} };
    assert.deepEqual(
      await chat.complete({ messages: HELLO, tools: [] }, controller.signal, listener),
      failure('timeout_idle', 'silent'),
    );
  });

  it('ends the wait of a busy endpoint', async (t) => {
    const server = await chatServer(t, [BUSY]);
    const controller = new AbortController();
    const chat = openAiChat({ base_url: server.base_url, model: 'm' }, async (_ms, signal) => {
      controller.abort(failure('cancelled', 'by a person'));
      assert.equal(signal.aborted, true);
    });
    assert.deepEqual(
      await chat.complete({ messages: HELLO, tools: [] }, controller.signal, QUIET),
      failure('cancelled', 'by a person'),
    );
    assert.equal(server.calls.length, 1);
  });
});
