import { Router } from 'express';
import { createIdempotency } from './idempotency.ts';
import { mountRoutes } from './mount-route.ts';
import type { HttpSetup } from './options.ts';
import { ROUTES } from './routes/all-routes.ts';
import type { HttpServices } from './services.ts';
import { createSseStreams } from './sse-stream.ts';

export interface ApiParts {
  readonly services: HttpServices;
  readonly setup: HttpSetup;
  readonly stopping: AbortSignal;
}

/** All routes of the registry; also tells how many event streams are open. */
export function apiRouter(parts: ApiParts): { readonly router: Router; readonly openStreams: () => number } {
  const router = Router({ caseSensitive: true, strict: true });
  const streams = createSseStreams(parts.setup.limits);
  mountRoutes(router, ROUTES, { ...parts, streams, idempotency: createIdempotency(parts.setup.now) });
  return { router, openStreams: () => streams.open };
}
