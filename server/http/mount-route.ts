import type { Request, Response, Router } from 'express';
import { DevLoopError } from '../domain/errors.ts';
import type { Idempotency } from './idempotency.ts';
import { readJsonBody } from './json-body.ts';
import type { HttpSetup } from './options.ts';
import { addressOf, type RawRequest, type Route } from './route.ts';
import { sendOutcome } from './send-outcome.ts';
import type { HttpServices } from './services.ts';
import type { SseStreams } from './sse-stream.ts';

/** What every route is served with. */
export interface RouteContext {
  readonly services: HttpServices;
  readonly setup: HttpSetup;
  readonly idempotency: Idempotency;
  readonly streams: SseStreams;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** Serves the routes; an address that is one of theirs answers another method with 405. */
export function mountRoutes(router: Router, routes: readonly Route[], context: RouteContext): void {
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const { method, path } = addressOf(route);
    methods.set(path, [...(methods.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    const serve = (request: Request, response: Response) => serveRoute(route, { request, response }, context);
    router[VERBS[method]](path, serve);
  }
  for (const [path, allow] of methods) {
    router.all(path, () => {
      throw new DevLoopError('method_not_allowed', `This address takes ${allow.join(', ')}.`, { data: { allow } });
    });
  }
}

const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

async function serveRoute(route: Route, { request, response }: Exchange, context: RouteContext): Promise<void> {
  response.locals.route = route.id;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, context.stopping]);
  if (route.answer.kind === 'events' && context.streams.open >= context.setup.limits.open_streams) {
    throw new DevLoopError('too_many_requests', 'Too many event streams are open.');
  }
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const body = reads ? { value: {}, bytes: new Uint8Array() } : await readJsonBody(request, context.setup.limits);
  const act = () => route.run(rawRequest(request, body.value, signal), context.services);
  const key = route.starts ? request.get('idempotency-key') : undefined;
  if (key === undefined) return sendOutcome(await act(), { request, response }, context);
  const target = `${request.method} ${request.originalUrl}`;
  const { outcome, repeated } = await context.idempotency.once({ key, target, body: body.bytes }, act);
  if (repeated) response.setHeader('idempotent-replayed', 'true');
  return sendOutcome(outcome, { request, response }, context);
}

function rawRequest(request: Request, body: unknown, signal: AbortSignal): RawRequest {
  const match = request.get('if-match');
  return {
    params: request.params,
    query: request.query,
    body,
    accepts: (types) => request.accepts([...types]) || undefined,
    lastEventId: request.get('last-event-id'),
    ifMatch: match === undefined || match === '*' ? undefined : match.replace(/^"(.*)"$/, '$1'),
    signal,
  };
}
