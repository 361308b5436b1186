import type { Usage } from '../../domain/agent-call.ts';
import type { CallFailure } from '../driver.ts';

/** A tool call as the model made it; `arguments` is JSON text that may be malformed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A message of the conversation. What is in `aside` reaches the model and no digest (see Prompt). */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly aside?: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string; readonly aside?: string };

/** A tool that the model may call; `parameters` is a JSON Schema. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
}

export type ChatReply =
  | {
      readonly kind: 'reply';
      readonly message: string;
      readonly tool_calls: readonly ToolCall[];
      readonly usage: Usage;
    }
  | CallFailure;

/** What hears a reply while it comes. */
export interface ReplyListener {
  text(piece: string): void;
  /** Bytes of tool calls, which are not text for people. */
  bytes(count: number): void;
}

/** The mind behind the model driver: a live endpoint, a recording, a script. */
export interface ChatModel {
  /** Resolves with a failure soon after the signal aborts; never throws for what the endpoint does. */
  complete(request: ChatRequest, signal: AbortSignal, listener: ReplyListener): Promise<ChatReply>;
}
