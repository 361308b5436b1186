import { z } from 'zod';
import type { CallProgress } from '../driver.ts';

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const update = z.discriminatedUnion('sessionUpdate', [
  z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), content: z.unknown().optional() }),
  z.looseObject({
    sessionUpdate: z.literal('tool_call'),
    toolCallId: z.string(),
    title: z.string().nullish(),
    kind: z.string().nullish(),
    rawInput: z.unknown().optional(),
  }),
  z.looseObject({
    sessionUpdate: z.literal('tool_call_update'),
    toolCallId: z.string(),
    status: z.string().nullish(),
    rawInput: z.unknown().optional(),
    rawOutput: z.unknown().optional(),
  }),
  z.looseObject({
    sessionUpdate: z.literal('usage_update'),
    cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish(),
  }),
]);
const notificationSchema = z.looseObject({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

/** Takes a session's updates in their order; kinds that it does not know are left out. */
export interface SessionUpdates {
  take(params: unknown): void;
  /** The words since the last tool call. */
  message(): string;
  /** A new prompt begins a new message. */
  begin(): void;
}

export function sessionUpdates(progress: CallProgress): SessionUpdates {
  let words = '';
  let cost = 0;
  return {
    message: () => words,
    begin: () => {
      words = '';
    },
    take: (params) => {
      const given = update.safeParse(notificationSchema.safeParse(params).data?.update);
      if (!given.success) return;
      switch (given.data.sessionUpdate) {
        case 'agent_message_chunk': {
          const chunk = text.safeParse(given.data.content).data?.text ?? '';
          words += chunk;
          progress.said(chunk);
          break;
        }
        case 'tool_call':
          words = '';
          progress.note({
            kind: 'tool_call',
            id: given.data.toolCallId,
            name: given.data.title ?? given.data.kind ?? '',
            arguments: given.data.rawInput,
          });
          break;
        case 'tool_call_update': {
          const { toolCallId: id, status, rawInput, rawOutput } = given.data;
          if (status !== 'completed' && status !== 'failed') break;
          progress.note({ kind: 'tool_result', id, status, arguments: rawInput, output: rawOutput });
          break;
        }
        case 'usage_update':
          if (given.data.cost?.currency !== 'USD') break;
          progress.spent({ cost: Math.max(0, given.data.cost.amount - cost) });
          cost = Math.max(cost, given.data.cost.amount);
      }
    },
  };
}
