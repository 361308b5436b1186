import { z } from 'zod';
import type { Usage } from '../../domain/agent-call.ts';
import type { ReplyListener, ToolCall } from './chat-model.ts';

const toolCallPiece = z.looseObject({
  index: z.int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const words = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCallPiece).nullish(),
});

/** One event of a streamed chat completion, or a whole completion; what is not read here is let through. */
export const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: words.nullish(),
        message: words.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  error: z
    .looseObject({ message: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() })
    .or(z.string())
    .nullish(),
});
export type Chunk = z.infer<typeof chunkSchema>;
type ToolCallPiece = z.infer<typeof toolCallPiece>;

export interface AssembledReply {
  readonly text: string;
  readonly tool_calls: readonly ToolCall[];
  /** The model's words where it declined to answer. */
  readonly refusal: string;
  readonly usage: Usage;
  /** Absent where the stream broke off. */
  readonly finish_reason?: string;
}

/** Puts a streamed reply together: text in pieces, tool calls in pieces (by index, or by id where an endpoint sends none). */
export function assembleReply(listener: ReplyListener): { add(chunk: Chunk): void; reply(): AssembledReply } {
  let text = '';
  let refusal = '';
  let usage: Usage = {};
  let finish: string | undefined;
  const calls: { id: string; name: string; arguments: string }[] = [];
  const callOf = (piece: ToolCallPiece) => {
    const known = piece.id ? calls.findIndex((call) => call.id === piece.id) : calls.length - 1;
    const index = piece.index ?? (known >= 0 ? known : calls.length);
    for (let i = calls.length; i <= Math.min(index, MOST_CALLS); i++) calls.push({ id: '', name: '', arguments: '' });
    return calls[Math.min(index, MOST_CALLS)];
  };
  const addWords = (given: z.infer<typeof words>) => {
    if (given.content) listener.text(given.content);
    text += given.content ?? '';
    refusal += given.refusal ?? '';
    for (const piece of given.tool_calls ?? []) {
      const call = callOf(piece);
      if (call === undefined) continue;
      listener.bytes((piece.function?.arguments ?? '').length);
      call.id ||= piece.id ?? '';
      call.name ||= piece.function?.name ?? '';
      call.arguments += piece.function?.arguments ?? '';
    }
  };
  return {
    add: (chunk) => {
      const choice = chunk.choices?.[0];
      const given = choice?.delta ?? choice?.message;
      if (given) addWords(given);
      finish = choice?.finish_reason ?? finish;
      usage = usageOf(chunk) ?? usage;
    },
    reply: () => ({
      text,
      refusal,
      usage,
      tool_calls: calls.map((call, i) => ({ ...call, id: call.id || `call_${i + 1}` })),
      ...(finish === undefined ? {} : { finish_reason: finish }),
    }),
  };
}

/** More parallel calls than this are a fault of the endpoint; what exceeds it lands in the last. */
const MOST_CALLS = 127;

function usageOf(chunk: Chunk): Usage | undefined {
  const { prompt_tokens, completion_tokens } = chunk.usage ?? {};
  if (typeof prompt_tokens !== 'number' && typeof completion_tokens !== 'number') return undefined;
  return {
    ...(typeof prompt_tokens === 'number' ? { input_tokens: prompt_tokens } : {}),
    ...(typeof completion_tokens === 'number' ? { output_tokens: completion_tokens } : {}),
  };
}
