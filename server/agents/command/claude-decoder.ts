import { z } from 'zod';
import type { Usage } from '../../domain/agent-call.ts';
import { failure } from '../driver.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { decodeJson } from './json-line.ts';

const usage = z.looseObject({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});
const content = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown().optional() }),
  z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.unknown().optional() }),
  z.looseObject({ type: z.string() }),
]);
const event = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('system'),
    subtype: z.string(),
    session_id: z.string().optional(),
    model: z.string().optional(),
  }),
  z.looseObject({ type: z.literal('assistant'), message: z.looseObject({ content: z.array(content) }) }),
  z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({ content: z.union([z.string(), z.array(content)]) }),
  }),
  z.looseObject({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean(),
    result: z.string().optional(),
    total_cost_usd: z.number().optional(),
    usage: usage.optional(),
  }),
]);
type ClaudeEvent = z.infer<typeof event>;
type Content = z.infer<typeof content>;

/** `claude -p --output-format stream-json --verbose`. */
export function claudeDecoder(): Decoder {
  let message = '';
  return {
    says_when_done: true,
    message: () => message,
    line: (line) =>
      decodeJson(line, event, (given) => {
        message = wordsOf(given) ?? message;
        return decode(given);
      }),
  };
}

function wordsOf(given: ClaudeEvent): string | undefined {
  if (given.type === 'result') return given.result;
  if (given.type !== 'assistant') return undefined;
  const texts = given.message.content.map(textOf).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n');
}

function textOf(part: Content): string | undefined {
  return part.type === 'text' && typeof part.text === 'string' ? part.text : undefined;
}

function decode(given: ClaudeEvent): readonly Decoded[] {
  switch (given.type) {
    case 'system':
      if (given.subtype !== 'init' || given.session_id === undefined) return [];
      return [{ kind: 'session', id: given.session_id, ...(given.model === undefined ? {} : { model: given.model }) }];
    case 'assistant':
      return given.message.content.flatMap(decodeContent);
    case 'user':
      return typeof given.message.content === 'string' ? [] : given.message.content.flatMap(decodeContent);
    case 'result':
      return decodeResult(given);
  }
}

function decodeContent(part: Content): readonly Decoded[] {
  const text = textOf(part);
  if (text !== undefined) return [{ kind: 'said', text: `${text}\n` }];
  if (part.type === 'tool_use')
    return [{ kind: 'note', entry: { kind: 'tool_call', name: part.name, arguments: part.input } }];
  return part.type === 'tool_result' ? [{ kind: 'note', entry: { kind: 'tool_result', content: part.content } }] : [];
}

function decodeResult(result: Extract<ClaudeEvent, { type: 'result' }>): readonly Decoded[] {
  const spent = { kind: 'usage', usage: usageOf(result) } as const;
  if (!result.is_error && result.subtype === 'success') return [spent, { kind: 'done' }];
  return [spent, failure('agent_error', `the agent ended with ${result.subtype}: ${result.result ?? 'no word why'}`)];
}

/** Tokens read from and written to a cache are input too. */
function usageOf({ usage: tokens, total_cost_usd }: Extract<ClaudeEvent, { type: 'result' }>): Usage {
  const cached = (tokens?.cache_read_input_tokens ?? 0) + (tokens?.cache_creation_input_tokens ?? 0);
  return {
    ...(tokens?.input_tokens === undefined ? {} : { input_tokens: tokens.input_tokens + cached }),
    ...(tokens?.output_tokens === undefined ? {} : { output_tokens: tokens.output_tokens }),
    ...(total_cost_usd === undefined ? {} : { cost: total_cost_usd }),
  };
}
