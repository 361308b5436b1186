import type { ChatMessage, ChatRequest } from './chat-model.ts';

/** Writes a request as the body of a streamed chat completion. */
export function chatBody(
  endpoint: { readonly model: string; readonly temperature?: number },
  request: ChatRequest,
): string {
  return JSON.stringify({
    model: endpoint.model,
    messages: request.messages.map(wireMessage),
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(endpoint.temperature === undefined ? {} : { temperature: endpoint.temperature }),
    stream: true,
    stream_options: { include_usage: true },
  });
}

function wireMessage(message: ChatMessage): Readonly<Record<string, unknown>> {
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content };
    case 'user':
      return { role: message.role, content: withAside(message) };
    case 'tool':
      return { role: message.role, tool_call_id: message.tool_call_id, content: withAside(message) };
    case 'assistant':
      if (message.tool_calls.length === 0) return { role: message.role, content: message.content };
      return {
        role: message.role,
        content: message.content === '' ? null : message.content,
        tool_calls: message.tool_calls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: isJson(text) ? text : '{}' },
        })),
      };
  }
}

const withAside = ({ content, aside }: { readonly content: string; readonly aside?: string }): string =>
  aside === undefined ? content : `${content}\n\n${aside}`;

/** Endpoints refuse a history that holds malformed arguments; the model has been told of them by the tool's answer. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
