import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What the server does with one request. */
export type ChatAnswer = (response: ServerResponse, request: ChatCall) => void | Promise<void>;

export interface ChatCall {
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: bodies are checked by the assertions that read them
  readonly body: any;
}

export interface ChatServer {
  /** Ends in /v1. */
  readonly base_url: string;
  readonly calls: readonly ChatCall[];
}

/** An OpenAI-compatible server on loopback that answers as scripted, the last answer again and again. */
export async function chatServer(t: TestContext, answers: readonly ChatAnswer[]): Promise<ChatServer> {
  const calls: ChatCall[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call = { headers: request.headers, body: JSON.parse(text) };
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push(call);
    await answer?.(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, calls };
}

/** Streams these chunks and ends well. */
export function streams(...chunks: readonly object[]): ChatAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(event(chunk));
    response.end('data: [DONE]\n\n');
  };
}

/** A whole answer in one chunk. */
export function says(content: string): ChatAnswer {
  return streams({ choices: [{ delta: { content } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] });
}

export function answersWith(status: number, body: object, headers: Readonly<Record<string, string>> = {}): ChatAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
