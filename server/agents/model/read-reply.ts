import { createParser } from 'eventsource-parser';
import { type ChatFault, faultOfEvent } from './chat-fault.ts';
import type { ReplyListener } from './chat-model.ts';
import { type AssembledReply, assembleReply, chunkSchema } from './reply-assembly.ts';

/** An event of more characters than this is not a chat completion's. */
const MOST_BUFFERED = 8_000_000;

/** Reads a chat completion, streamed or, from an endpoint that does not stream, whole. */
export async function readReply(
  response: Response,
  listener: ReplyListener,
): Promise<({ readonly kind: 'assembled' } & AssembledReply) | ChatFault> {
  const assembly = assembleReply(listener);
  const streamed = !(response.headers.get('content-type') ?? '').includes('json');
  let fault: ChatFault | undefined;
  let done = !streamed;
  const take = (data: string) => {
    listener.bytes(0);
    if (data === '[DONE]') done = true;
    else fault ??= addChunk(assembly, data);
  };
  const parser = createParser({
    maxBufferSize: MOST_BUFFERED,
    onEvent: ({ data }) => take(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') fault ??= faultOfEvent('an event that never ends');
    },
  });
  const decoder = new TextDecoder();
  let whole = '';
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk, { stream: true });
    if (streamed) parser.feed(text);
    else whole += text;
    if (fault !== undefined || whole.length > MOST_BUFFERED) break;
  }
  if (streamed) parser.reset({ consume: true });
  else take(whole);
  if (fault !== undefined) return fault;
  const reply = assembly.reply();
  if (!done && reply.finish_reason === undefined) return { kind: 'busy', detail: "the endpoint's stream broke off" };
  return { kind: 'assembled', ...reply };
}

function addChunk(assembly: ReturnType<typeof assembleReply>, data: string): ChatFault | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'busy', detail: 'the endpoint sent an event that is not JSON' };
  }
  const chunk = chunkSchema.safeParse(value);
  if (!chunk.success) return { kind: 'busy', detail: 'the endpoint sent an event that is not a chat completion' };
  if (chunk.data.error) return faultOfEvent(chunk.data.error);
  assembly.add(chunk.data);
  return undefined;
}
