import { type Request, Router, static as staticFiles } from 'express';
import { z } from 'zod';
import { docsPage, STYLE } from '../docs-page.ts';
import type { SessionKeys } from '../guard/session-keys.ts';
import type { TokenCheck } from '../guard/token-check.ts';
import { readJsonBody } from '../json-body.ts';
import { openApiDocument } from '../openapi.ts';
import type { HttpSetup } from '../options.ts';
import { parseRequestPart } from '../request-part.ts';
import type { HttpServices } from '../services.ts';

export interface OpenParts {
  readonly services: HttpServices;
  readonly setup: HttpSetup;
  readonly keys: SessionKeys;
  readonly tokens: TokenCheck;
}

const sessionRequest = z.strictObject({ key: z.string().min(1).max(200) });

/** What needs no token: health, the documents about the API, and the page's way to the token. */
export function openRoutes({ services, setup, keys, tokens }: OpenParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let document: string | undefined;
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok', version: setup.version });
  });
  router.get('/readyz', async (_request, response) => {
    const checks = await services.health.check();
    response.status(checks.every(({ ok }) => ok) ? 200 : 503).json({ checks });
  });
  router.get('/openapi.json', (_request, response) => {
    document ??= JSON.stringify(openApiDocument(setup.version));
    response.type('json').send(document);
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(docsPage(setup.version));
  });
  router.get('/docs.css', (_request, response) => {
    response.type('css').send(STYLE);
  });
  if (setup.page === undefined) router.get('/', (_request, response) => response.redirect('/docs'));
  else router.use(staticFiles(setup.page, { index: 'index.html', redirect: false, dotfiles: 'ignore' }));
  router.post('/api/session', async (request: Request, response) => {
    const { value } = await readJsonBody(request, setup.limits);
    const { key } = parseRequestPart('body', sessionRequest, value);
    if (!keys.redeem(key)) {
      tokens.refuse(
        { address: request.socket.remoteAddress ?? '' },
        'The key is not one of this server, or was used or has run out.',
      );
    }
    response.set('cache-control', 'no-store').status(201).json({ token: setup.token });
  });
  return router;
}
