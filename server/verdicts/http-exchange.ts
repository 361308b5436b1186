import { request as httpRequest, type IncomingMessage } from 'node:http';
import { hasCode } from '../io/io-error.ts';

export interface HttpRequest {
  readonly method: string;
  /** Where the service is, without a path. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type HttpExchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case; several of one name are joined by ', '. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly why: string };

const MAX_BODY = 4 * 1024 * 1024;

/** Makes one request on a connection of its own; follows no redirect. What the service does wrong is told, not thrown. */
export async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpExchange> {
  try {
    const response = await send(request, signal);
    const body = await readBody(response);
    const headers = Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']),
    );
    return { kind: 'answered', status: response.statusCode ?? 0, headers, body };
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error, signal) };
  }
}

function send({ method, origin, path, headers, body }: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(origin);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      method,
      host: url.hostname,
      port: url.port,
      path,
      agent: false,
      signal,
      headers: { ...length, ...headers },
    };
    httpRequest(options, resolve).on('error', reject).end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_BODY) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

class AnswerTooLarge extends Error {}

/** Always the same words for the same thing: they become part of a verdict. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time';
  if (error instanceof AnswerTooLarge) return `the answer has more than ${MAX_BODY} bytes`;
  if (hasCode(error, 'ECONNREFUSED')) return 'connection refused';
  if (hasCode(error, 'ECONNRESET', 'EPIPE')) return 'the connection was closed without an answer';
  if (error instanceof Error && 'code' in error) return `no HTTP answer (${String(error.code)})`;
  throw error;
}
