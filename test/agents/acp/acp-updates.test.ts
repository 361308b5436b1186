import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sessionUpdates } from '../../../server/agents/acp/acp-updates.ts';
import type { Usage } from '../../../server/domain/agent-call.ts';

function lab() {
  const said: string[] = [];
  const notes: Record<string, unknown>[] = [];
  const spent: Usage[] = [];
  const updates = sessionUpdates({
    said: (text) => said.push(text),
    note: (entry) => notes.push(entry),
    spent: (usage) => spent.push(usage),
    heard: () => {},
    wrote: () => {},
    working: (work) => work(),
  });
  const take = (...given: readonly object[]) => {
    for (const update of given) updates.take({ sessionId: 's', update });
  };
  return { updates, said, notes, spent, take };
}

const words = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

describe("a session's updates", () => {
  it('make up the final message from the words since the last tool call', () => {
    const { updates, said, take } = lab();
    take(
      words('let me '),
      words('see'),
      { sessionUpdate: 'tool_call', toolCallId: 't', title: 'read' },
      words('the '),
      words('end'),
    );
    assert.equal(updates.message(), 'the end');
    assert.equal(said.join(''), 'let me seethe end');
    updates.begin();
    assert.equal(updates.message(), '');
  });

  it('note tool calls, and results once they are there', () => {
    const { notes, take } = lab();
    take(
      { sessionUpdate: 'tool_call', toolCallId: 't', kind: 'edit', rawInput: { a: 1 } },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' },
      { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed', rawInput: { a: 1 }, rawOutput: 'no' },
    );
    assert.deepEqual(notes, [
      { kind: 'tool_call', id: 't', name: 'edit', arguments: { a: 1 } },
      { kind: 'tool_result', id: 't', status: 'failed', arguments: { a: 1 }, output: 'no' },
    ]);
  });

  it('tell a cost that only grows, in dollars', () => {
    const { spent, take } = lab();
    const cost = (amount: number, currency = 'USD') => ({
      sessionUpdate: 'usage_update',
      used: 1,
      size: 2,
      cost: { amount, currency },
    });
    take(cost(1), cost(1.5), cost(0.5), cost(9, 'EUR'), { sessionUpdate: 'usage_update', used: 1, size: 2 });
    assert.deepEqual(spent, [{ cost: 1 }, { cost: 0.5 }, { cost: 0 }]);
  });

  it('take pictures, thoughts, plans and what is not known yet for no words', () => {
    const { updates, take } = lab();
    take(
      { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: 'x', mimeType: 'image/png' } },
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
      { sessionUpdate: 'plan', entries: [] },
      { sessionUpdate: 'of_the_future' },
    );
    assert.equal(updates.message(), '');
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.anything(), (params) => {
        lab().updates.take(params);
      }),
    );
  });
});
