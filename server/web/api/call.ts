import { Problem } from './problem.ts';
import { requestKey } from './request-key.ts';
import { refuse, token } from './session.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks the API for JSON. The answer is of the type that the route's schema gives it: the server checks what it sends. Throws Problem. */
export async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await ask(method, path, { ...options, headers: { accept: 'application/json', ...options.headers } });
  // 204 has no body.
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

export function get<Answer>(path: string, query: Query = {}): Promise<Answer> {
  return call<Answer>('GET', path, { query });
}

/** A request that starts something: a repeated one is the same request. */
export function post<Answer>(path: string, body: unknown = {}, headers: CallOptions['headers'] = {}): Promise<Answer> {
  return call<Answer>('POST', path, { body, headers: { 'idempotency-key': requestKey(), ...headers } });
}

/** Sends a request with the token; resolves with answers of success only, when all of them is there. Throws Problem. */
export async function ask(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const response = await askStream(method, path, options);
  const { status, headers } = response;
  const content = await response.blob().catch(unreachable);
  return new Response(status === 204 ? null : content, { status, headers });
}

/** The same for an answer that is read while it comes. Throws Problem. */
export async function askStream(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { query = {}, body, headers = {}, signal } = options;
  const response = await fetch(addressOf(path, query), {
    method,
    cache: 'no-store',
    headers: {
      authorization: `Bearer ${token() ?? ''}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    return unreachable(error);
  });
  if (response.ok) return response;
  const problem = new Problem(response.status, await problemIn(response));
  if (response.status === 401) refuse(problem);
  throw problem;
}

/** The connection broke, before the answer or within it. */
function unreachable(cause: unknown): never {
  throw new Problem(0, {}, { cause });
}

async function problemIn(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  return type.includes('json') ? response.json().catch(unreachable) : { detail: `HTTP ${response.status}` };
}

function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? `/api${path}` : `/api${path}?${new URLSearchParams(given)}`;
}
