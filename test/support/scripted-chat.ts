import type { ChatModel, ChatReply, ChatRequest } from '../../server/agents/model/chat-model.ts';

export interface ScriptedTurn {
  readonly say?: string;
  /** Tool calls by name; ids are call_1, call_2, … over the whole script. */
  readonly calls?: readonly (readonly [name: string, args: unknown])[];
}

/** A model that says what a test wrote down, turn by turn, and keeps the requests it got. */
export function scriptedChat(turns: readonly ScriptedTurn[]): ChatModel & { readonly requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  let calls = 0;
  return {
    requests,
    complete: async (request, _signal, listener): Promise<ChatReply> => {
      const turn = turns[requests.length];
      requests.push(request);
      if (turn === undefined) return { kind: 'failed', reason: 'agent_error', detail: 'the script has ended' };
      listener.text(turn.say ?? '');
      return {
        kind: 'reply',
        message: turn.say ?? '',
        usage: { input_tokens: 10, output_tokens: 5 },
        tool_calls: (turn.calls ?? []).map(([name, args]) => {
          calls += 1;
          return { id: `call_${calls}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
        }),
      };
    },
  };
}
