import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { acpWire } from '../../../server/agents/acp/acp-wire.ts';

function lab() {
  const sent: string[] = [];
  const updates: unknown[] = [];
  const noise: string[] = [];
  const usages: unknown[] = [];
  const received: unknown[] = [];
  let reads = true;
  const wire = acpWire(
    (text) => {
      if (reads) sent.push(text);
      return reads;
    },
    {
      onUpdate: (params) => updates.push(params),
      onNoise: (line) => noise.push(line),
      onUsage: (usage) => usages.push(usage),
    },
  );
  const reading = (async () => {
    for await (const message of wire.stream.readable) received.push(message);
  })();
  const writer = wire.stream.writable.getWriter();
  const ask = (id: number) => writer.write({ jsonrpc: '2.0', id, method: 'x' });
  const push = (...messages: readonly unknown[]) => {
    for (const message of messages)
      wire.push(Buffer.from(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`));
  };
  const stopReading = () => {
    reads = false;
  };
  return { wire, sent, updates, noise, usages, received, reading, ask, push, stopReading };
}

const message = (given: object) => ({ jsonrpc: '2.0', ...given });

describe('the wire to an agent', () => {
  it('writes each message as one line', async () => {
    const { sent, ask } = lab();
    await ask(1);
    await ask(2);
    assert.deepEqual(sent, ['{"jsonrpc":"2.0","id":1,"method":"x"}\n', '{"jsonrpc":"2.0","id":2,"method":"x"}\n']);
  });

  it('hands on answers to what was asked, once, and nothing else', async () => {
    const { wire, ask, push, received, noise, reading } = lab();
    await ask(1);
    push(
      message({ id: 1, result: { a: 1 } }),
      message({ id: 1, result: { again: true } }),
      message({ id: 7, result: {} }),
    );
    wire.end();
    await reading;
    assert.deepEqual(received, [message({ id: 1, result: { a: 1 } })]);
    assert.equal(noise.length, 2);
  });

  it('hands on requests of the agent, and reads updates itself', async () => {
    const { wire, push, received, updates, reading } = lab();
    push(
      message({ id: 'q', method: 'fs/read_text_file', params: { path: '/x' } }),
      message({ method: 'session/update', params: { any: 'thing' } }),
    );
    wire.end();
    await reading;
    assert.deepEqual(received, [message({ id: 'q', method: 'fs/read_text_file', params: { path: '/x' } })]);
    assert.deepEqual(updates, [{ any: 'thing' }]);
  });

  it('takes the last message without its newline', async () => {
    const { wire, ask, received, reading } = lab();
    await ask(3);
    wire.push(Buffer.from(JSON.stringify(message({ id: 3, result: null }))));
    wire.end();
    await reading;
    assert.equal(received.length, 1);
  });

  it('tells what an answer says was used', async () => {
    const { ask, push, usages } = lab();
    await ask(1);
    push(
      message({
        id: 1,
        result: { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 6, totalTokens: 11 } },
      }),
    );
    assert.deepEqual(usages, [{ input_tokens: 5, output_tokens: 6 }]);
  });

  it('refuses to write to one that reads no more', async () => {
    const { ask, stopReading } = lab();
    stopReading();
    await assert.rejects(ask(1), /reads no more/);
  });

  it('calls all else noise, whatever it is', async () => {
    const { wire, push, noise, received, reading } = lab();
    const lines = [
      'hello',
      '{',
      '[]',
      'null',
      '7',
      '"x"',
      '{"jsonrpc":"1.0","id":1}',
      '{"id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":null,"error":{}}',
    ];
    push(...lines);
    wire.end();
    await reading;
    assert.deepEqual(noise, lines);
    assert.deepEqual(received, []);
  });

  it('is broken by no bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), async (chunks) => {
        const { wire, reading } = lab();
        for (const chunk of chunks) wire.push(chunk);
        wire.end();
        await reading;
      }),
      { numRuns: 50 },
    );
  });
});
