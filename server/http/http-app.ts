import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { DevLoopError } from '../domain/errors.ts';
import { checkSite } from './guard/same-site.ts';
import { crossSiteHeaders, PREFLIGHT_HEADERS, SECURITY_HEADERS } from './guard/security-headers.ts';
import type { SessionKeys } from './guard/session-keys.ts';
import { createTokenCheck } from './guard/token-check.ts';
import { createIdempotency } from './idempotency.ts';
import { createMetrics } from './metrics.ts';
import { mountRoutes } from './mount-route.ts';
import type { HttpSetup } from './options.ts';
import { problemOf } from './problem.ts';
import { ROUTES } from './routes/all-routes.ts';
import { openRoutes } from './routes/open-routes.ts';
import type { HttpServices } from './services.ts';
import { createSseStreams } from './sse-stream.ts';

export interface AppParts {
  readonly setup: HttpSetup;
  readonly keys: SessionKeys;
  /** Values of Host that are served; filled when the port is known. */
  readonly hosts: ReadonlySet<string>;
  readonly stopping: AbortSignal;
}

/** The express application: site check, token, routes, and one place where errors become problems. */
export function createHttpApp(services: HttpServices, { setup, keys, hosts, stopping }: AppParts): Express {
  const streams = createSseStreams(setup.limits);
  const metrics = createMetrics(() => streams.open);
  const tokens = createTokenCheck(setup.token, setup.limits, setup.now);
  const context = { services, setup, idempotency: createIdempotency(setup.now), streams, stopping };
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', parseQuery);
  app.use(metrics.observe);
  app.use(siteGuard({ hosts, origins: new Set(setup.origins) }));
  app.use(openRoutes({ services, setup, keys, tokens }));
  app.use(((request, _response, next) => {
    tokens.check(request.headersDistinct.authorization ?? [], request.socket.remoteAddress ?? '');
    next();
  }) satisfies RequestHandler);
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  const api = express.Router({ caseSensitive: true, strict: true });
  mountRoutes(api, ROUTES, context);
  app.use('/api/devloop', api);
  app.use(() => {
    throw new DevLoopError('not_found', 'There is nothing at this address.', {
      hint: 'openapi.json lists the addresses.',
    });
  });
  app.use(sendProblem(setup));
  return app;
}

/** Members of a query by name; one that comes twice is a list, which no schema takes. */
function parseQuery(text: string | null): Record<string, string | readonly string[]> {
  const params = new URLSearchParams(text ?? '');
  const members = Object.create(null) as Record<string, string | readonly string[]>;
  for (const name of params.keys()) {
    const values = params.getAll(name);
    members[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return members;
}

function siteGuard(rules: {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}): RequestHandler {
  return (request, response, next) => {
    response.set(SECURITY_HEADERS);
    const { method, url: target, headers } = request;
    const origin = checkSite({ method, target, headers, all: (name) => request.headersDistinct[name] ?? [] }, rules);
    if (origin !== undefined) response.set(crossSiteHeaders(origin));
    if (method !== 'OPTIONS') return next();
    if (origin === undefined) throw new DevLoopError('forbidden', 'Requests from other sites are not allowed.');
    response.set(PREFLIGHT_HEADERS).status(204).end();
  };
}

function sendProblem(setup: HttpSetup): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { problem, headers, unexpected } = problemOf(error, setup.dataFolder);
    if (unexpected) setup.log.error('a request failed', { method: request.method, address: request.path, error });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.removeHeader('etag');
    response.removeHeader('content-disposition');
    response.set(headers).status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}
