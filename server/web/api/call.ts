import { Problem } from './problem.ts';
import { keepToken, token } from './session.ts';

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
export function post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
  return call<Answer>('POST', path, { body, headers: { 'idempotency-key': crypto.randomUUID() } });
}

/** Sends a request with the token; resolves with answers of success only. Throws Problem. */
export async function ask(method: string, path: string, options: CallOptions = {}): Promise<Response> {
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
    throw new Problem(0, {}, { cause: error });
  });
  if (response.ok) return response;
  if (response.status === 401) keepToken(undefined);
  throw new Problem(response.status, await problemIn(response));
}

async function problemIn(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  return type.includes('json') ? response.json() : { detail: `HTTP ${response.status}` };
}

function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? `/api${path}` : `/api${path}?${new URLSearchParams(given)}`;
}
