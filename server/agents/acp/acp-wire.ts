import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Usage } from '../../domain/agent-call.ts';
import { readLines } from '../process/lines.ts';

/** A message of the peer, as far as it must be known to pass it on. */
const messageSchema = z.union([
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    method: z.string(),
    id: z.union([z.string(), z.number()]).optional(),
    params: z.unknown().optional(),
  }),
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]),
    result: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
]);

const usageSchema = z.looseObject({ usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }) });

export interface WireEars {
  /** A `session/update`: read here and not by the library, which refuses kinds that it does not know. */
  readonly onUpdate: (params: unknown) => void;
  /** What is no message: noise on the standard output. */
  readonly onNoise: (line: string) => void;
  readonly onUsage: (usage: Usage) => void;
}

/** The peer's two pipes as a stream of messages. Only answers to what was asked reach the library. */
export interface AcpWire {
  readonly stream: Stream;
  push(chunk: Uint8Array): void;
  /** The peer has gone: what waits for an answer learns of it. */
  end(): void;
}

/** @param write false where nobody reads any more. */
export function acpWire(write: (text: string) => boolean, ears: WireEars): AcpWire {
  const asked = new Set<unknown>();
  let inbox: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      inbox = controller;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ('method' in message && 'id' in message) asked.add(message.id);
      if (!write(`${JSON.stringify(message)}\n`)) throw new Error('the agent reads no more');
    },
  });
  const lines = readLines((line) => {
    if (line.trim() === '') return;
    const raw = parsed(line);
    const message = messageSchema.safeParse(raw).data;
    if (message === undefined) return ears.onNoise(line);
    if ('method' in message && message.method === 'session/update') return ears.onUpdate(message.params);
    if (!('method' in message)) {
      if (!asked.delete(message.id)) return ears.onNoise(line);
      const usage = usageSchema.safeParse(message.result).data?.usage;
      if (usage !== undefined) ears.onUsage({ input_tokens: usage.inputTokens, output_tokens: usage.outputTokens });
    }
    inbox?.enqueue(raw as AnyMessage);
  });
  return {
    stream: { readable, writable },
    push: (chunk) => lines.push(chunk),
    end: () => {
      lines.end();
      inbox?.close();
      inbox = undefined;
    },
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
