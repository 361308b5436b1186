import { z } from 'zod';
import { failure } from '../driver.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { decodeJson } from './json-line.ts';

const item = z.looseObject({ type: z.string(), text: z.string().optional() });
const fault = z.looseObject({ message: z.string() });
const event = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.looseObject({ type: z.literal('item.completed'), item }),
  z.looseObject({
    type: z.literal('turn.completed'),
    usage: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }).optional(),
  }),
  z.looseObject({ type: z.literal('turn.failed'), error: fault }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
]);

/** `codex exec --json`. An `error` event may be followed by another try, so only `turn.failed` ends the prompt. */
export function codexDecoder(): Decoder {
  let message = '';
  return {
    says_when_done: true,
    message: () => message,
    line: (line) =>
      decodeJson(line, event, (given) => {
        if (given.type === 'item.completed' && given.item.type === 'agent_message') message = given.item.text ?? '';
        return decode(given);
      }),
  };
}

function decode(given: z.infer<typeof event>): readonly Decoded[] {
  switch (given.type) {
    case 'thread.started':
      return [{ kind: 'session', id: given.thread_id }];
    case 'item.completed':
      if (given.item.type === 'agent_message') return [{ kind: 'said', text: `${given.item.text ?? ''}\n` }];
      return given.item.type === 'reasoning' ? [] : [{ kind: 'note', entry: { ...given.item, kind: given.item.type } }];
    case 'turn.completed': {
      if (given.usage === undefined) return [{ kind: 'done' }];
      const { input_tokens, output_tokens } = given.usage;
      return [{ kind: 'usage', usage: { input_tokens, output_tokens } }, { kind: 'done' }];
    }
    case 'turn.failed':
      return [failure('agent_error', given.error.message)];
    case 'error':
      return [{ kind: 'note', entry: { kind: 'error', text: given.message } }];
  }
}
