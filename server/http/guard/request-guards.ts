import type { RequestHandler } from 'express';
import { DevLoopError } from '../../domain/errors.ts';
import { checkSite, type SiteRules } from './same-site.ts';
import { crossSiteHeaders, PREFLIGHT_HEADERS, SECURITY_HEADERS } from './security-headers.ts';
import type { Scheme, TokenCheck } from './token-check.ts';

/** Sets the headers of every answer, and refuses what comes from another site. */
export function siteGuard(rules: SiteRules): RequestHandler {
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

/** Refuses what has no token. */
export function tokenGuard(tokens: TokenCheck, scheme: Scheme = 'Bearer'): RequestHandler {
  return (request, _response, next) => {
    const address = request.socket.remoteAddress ?? '';
    tokens.check(request.headersDistinct.authorization ?? [], { address, scheme });
    next();
  };
}
