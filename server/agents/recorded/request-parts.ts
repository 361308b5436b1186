import { createHash } from 'node:crypto';
import type { ChatMessage, ChatRequest } from '../model/chat-model.ts';

/** A request taken apart, so that a difference can be named. */
export interface RequestPart {
  readonly what: 'tools' | ChatMessage['role'];
  /** In neutral words. */
  readonly text: string;
  /** 12 hex digits. */
  readonly digest: string;
}

/** The tools, then the messages; what is in an `aside` has no part in it. */
export function requestParts(request: ChatRequest, neutral: (text: string) => string): readonly RequestPart[] {
  const part = (what: RequestPart['what'], raw: string): RequestPart => {
    const text = neutral(raw);
    return { what, text, digest: shortDigest(text) };
  };
  return [
    part('tools', JSON.stringify(request.tools)),
    ...request.messages.map((message) => part(message.role, messageText(message))),
  ];
}

/** The digest of a whole request: 64 hex digits. */
export function requestDigest(parts: readonly RequestPart[]): string {
  return sha256(parts.map(partLabel).join('\n'));
}

/** How a recording names a part. */
export function partLabel({ what, digest }: RequestPart): string {
  return `${what} ${digest}`;
}

export function shortDigest(text: string): string {
  return sha256(text).slice(0, 12);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function messageText(message: ChatMessage): string {
  switch (message.role) {
    case 'system':
    case 'user':
      return message.content;
    case 'tool':
      return `${message.tool_call_id}: ${message.content}`;
    case 'assistant':
      return [
        message.content,
        ...message.tool_calls.map(({ id, name, arguments: text }) => `${id} ${name} ${text}`),
      ].join('\n');
  }
}
