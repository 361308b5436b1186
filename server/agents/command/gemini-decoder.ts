import { z } from 'zod';
import { failure } from '../driver.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { decodeJson } from './json-line.ts';

const event = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('init'), session_id: z.string().optional(), model: z.string().optional() }),
  z.looseObject({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), tool_name: z.string(), parameters: z.unknown().optional() }),
  z.looseObject({ type: z.literal('tool_result'), status: z.string().optional(), output: z.unknown().optional() }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
  z.looseObject({
    type: z.literal('result'),
    status: z.string(),
    error: z.looseObject({ message: z.string() }).nullish(),
    stats: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
  }),
]);

/** `gemini -p --output-format stream-json`. Its messages come in pieces: those since the last tool call are the final one. */
export function geminiDecoder(): Decoder {
  let words = '';
  const decode = (given: z.infer<typeof event>): readonly Decoded[] => {
    switch (given.type) {
      case 'init':
        if (given.session_id === undefined) return [];
        return [
          { kind: 'session', id: given.session_id, ...(given.model === undefined ? {} : { model: given.model }) },
        ];
      case 'message':
        if (given.role !== 'assistant') return [];
        words += given.content;
        return [{ kind: 'said', text: given.content }];
      case 'tool_use':
        words = '';
        return [{ kind: 'note', entry: { kind: 'tool_call', name: given.tool_name, arguments: given.parameters } }];
      case 'tool_result':
        return [{ kind: 'note', entry: { kind: 'tool_result', status: given.status, output: given.output } }];
      case 'error':
        return [{ kind: 'note', entry: { kind: 'error', text: given.message } }];
      case 'result': {
        const { input_tokens, output_tokens } = given.stats ?? {};
        const usage = {
          ...(input_tokens === undefined ? {} : { input_tokens }),
          ...(output_tokens === undefined ? {} : { output_tokens }),
        };
        if (given.status === 'success') return [{ kind: 'usage', usage }, { kind: 'done' }];
        return [
          { kind: 'usage', usage },
          failure('agent_error', given.error?.message ?? `the agent ended with ${given.status}`),
        ];
      }
    }
  };
  return { says_when_done: true, message: () => words, line: (line) => decodeJson(line, event, decode) };
}
