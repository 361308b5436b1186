import { setTimeout as delay } from 'node:timers/promises';
import { withCost } from '../../domain/price.ts';
import { type CallFailure, failure, stoppedBy } from '../driver.ts';
import { chatBody } from './chat-body.ts';
import { type ChatFault, faultOfError, faultOfResponse, noted } from './chat-fault.ts';
import type { ChatModel, ChatReply, ChatRequest, ReplyListener } from './chat-model.ts';
import { readReply } from './read-reply.ts';
import type { AssembledReply } from './reply-assembly.ts';

/** An OpenAI-compatible endpoint; `base_url` is what `/chat/completions` is appended to. */
export interface ChatEndpoint {
  readonly base_url: string;
  readonly model: string;
  readonly api_key?: string;
  readonly temperature?: number;
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

const TRIES = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 120_000;

/**
 * Talks to a chat endpoint, streamed. What is busy (429, 5xx, a broken connection) is asked again up to four times, after the
 * time that it names or after 1, 2, 4, 8 seconds with some chance; what is wrong (other 4xx, a full context) fails at once.
 * @param wait for tests; resolves early when the signal aborts.
 */
export function openAiChat(endpoint: ChatEndpoint, wait = waitFor): ChatModel {
  return {
    complete: async (request, signal, listener) => {
      for (let tried = 1; ; tried++) {
        const reply = await ask(endpoint, request, { signal, listener });
        if (reply.kind !== 'busy') return reply;
        if (tried === TRIES) return failure('agent_error', `${reply.detail}; asked ${TRIES} times`);
        await wait(Math.min(LONGEST_WAIT_MS, reply.after_ms ?? backoff(tried)), signal);
        if (signal.aborted) return stoppedBy(signal);
      }
    },
  };
}

interface Asking {
  readonly signal: AbortSignal;
  readonly listener: ReplyListener;
}

async function ask(endpoint: ChatEndpoint, request: ChatRequest, at: Asking): Promise<ChatReply | ChatFault> {
  try {
    const response = await fetch(`${endpoint.base_url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      signal: at.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(endpoint.api_key === undefined ? {} : { authorization: `Bearer ${endpoint.api_key}` }),
      },
      body: chatBody(endpoint, request),
    });
    if (!response.ok) return await faultOfResponse(response);
    const read = await readReply(response, at.listener);
    return read.kind === 'assembled' ? chatReply(endpoint, read) : read;
  } catch (error) {
    if (at.signal.aborted) return stoppedBy(at.signal);
    return faultOfError(error);
  }
}

function chatReply(endpoint: ChatEndpoint, reply: AssembledReply): ChatReply | CallFailure {
  if (reply.refusal !== '') return failure('refused', `the model declined: ${noted(reply.refusal)}`);
  if (reply.finish_reason === 'content_filter')
    return failure('refused', "the endpoint's content filter stopped the reply");
  const { text, tool_calls, usage } = reply;
  return { kind: 'reply', message: text, tool_calls, usage: withCost(usage, endpoint.price) };
}

const backoff = (tried: number): number => FIRST_WAIT_MS * 2 ** (tried - 1) * (0.75 + Math.random() / 2);

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
