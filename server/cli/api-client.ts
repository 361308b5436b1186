import { DevLoopError, ERROR_CODES } from '../domain/errors.ts';
import type { Calls } from '../http/index.ts';

/** Every route; those of workspaces are only named: commands work on the folder itself. */
export type RouteId = keyof Calls;
type CalledRoute = Exclude<RouteId, `${string} /workspaces${string}`>;
type Given<Id extends RouteId> = Pick<Calls[Id], 'params' | 'query' | 'body'>;
/** Parts that a route takes: those without members may be left out. */
type Input<Id extends RouteId> = {
  readonly [K in keyof Given<Id> as Record<never, never> extends Given<Id>[K] ? never : K]: Given<Id>[K];
} & {
  readonly [K in keyof Given<Id>]?: Given<Id>[K];
} & { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal };

/** The routes as functions, typed by their schemas. */
export interface ApiClient {
  /** Gives the JSON of the answer. Throws the problem as a DevLoopError. */
  call<Id extends CalledRoute>(id: Id, input: Input<Id>): Promise<Calls[Id]['response']>;
  /** Gives the answer as it is, for what is not JSON. */
  fetch<Id extends CalledRoute>(id: Id, input: Input<Id>): Promise<Response>;
  readonly url: string;
}

interface AnyInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function createApiClient({ url, token }: { readonly url: string; readonly token: string }): ApiClient {
  async function send(id: RouteId, input: AnyInput): Promise<Response> {
    const [method = 'GET'] = id.split(' ');
    const response = await reach(`${url}/api/devloop${addressOf(id, input)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...input.headers,
      },
      ...(method === 'POST' ? { body: JSON.stringify(input.body ?? {}) } : {}),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    if (response.ok) return response;
    throw problemAsError(response.status, await response.text());
  }
  return {
    url,
    fetch: send,
    call: async <Id extends CalledRoute>(id: Id, input: Input<Id>): Promise<Calls[Id]['response']> => {
      const response = await send(id, input);
      // What the server sends is what its routes' types say; the two are built and tested together.
      return response.status === 204 ? undefined : ((await response.json()) as Calls[Id]['response']);
    },
  };
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DevLoopError('busy', `The server at ${new URL(address).origin} does not answer.`, { cause: error });
  }
}

function addressOf(id: RouteId, { params, query }: AnyInput): string {
  const [, path = ''] = id.split(' ');
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(memberOf(params, name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

function problemAsError(status: number, text: string): DevLoopError {
  const problem = parseProblem(text);
  const code = ERROR_CODES.find((known) => known === problem.code);
  const detail = typeof problem.detail === 'string' ? problem.detail : `The server answered ${status}.`;
  const { type: _type, title: _title, status: _status, code: _code, detail: _detail, hint, ...data } = problem;
  return new DevLoopError(code ?? 'internal', detail, { data, ...(typeof hint === 'string' ? { hint } : {}) });
}

function parseProblem(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
