import express, { type Express } from 'express';
import { apiRouter } from './api-router.ts';
import { siteGuard, tokenGuard } from './guard/request-guards.ts';
import type { SessionKeys } from './guard/session-keys.ts';
import { createTokenCheck } from './guard/token-check.ts';
import { createMetrics } from './metrics.ts';
import type { HttpSetup } from './options.ts';
import { parseQuery } from './parse-query.ts';
import { gitRouter } from './routes/git-router.ts';
import { openRoutes } from './routes/open-routes.ts';
import { refuseUnknown, sendProblem } from './send-problem.ts';
import type { HttpServices } from './services.ts';

export interface AppParts {
  readonly setup: HttpSetup;
  readonly keys: SessionKeys;
  /** Values of Host that are served; filled when the port is known. */
  readonly hosts: ReadonlySet<string>;
  readonly stopping: AbortSignal;
}

/** The express application: site check, what is open to all, token, routes, problems. */
export function createHttpApp(services: HttpServices, { setup, keys, hosts, stopping }: AppParts): Express {
  const { router, openStreams } = apiRouter({ services, setup, stopping });
  const metrics = createMetrics(openStreams);
  const tokens = createTokenCheck(setup.token, setup.limits, setup.now);
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', parseQuery);
  app.use(metrics.observe);
  app.use(siteGuard({ hosts, origins: new Set(setup.origins) }));
  app.use(openRoutes({ services, setup, keys, tokens }));
  app.use(['/git', '/api/devloop/git'], gitRouter({ services, setup, tokens, stopping }));
  app.use(tokenGuard(tokens));
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  app.use(router);
  app.use(refuseUnknown);
  app.use(sendProblem(setup, stopping));
  return app;
}
