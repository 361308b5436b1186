import type { IncomingHttpHeaders } from 'node:http';
import { DevLoopError } from '../../domain/errors.ts';

export interface SiteRules {
  /** Every value of Host that is served, with its port. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of other sites that may call. */
  readonly origins: ReadonlySet<string>;
}

export interface SiteRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Every value of a header, for those that must come once. */
  readonly all: (name: string) => readonly string[];
}

/**
 * Lets through what this server's own page or a program on this machine sent. A page of another site that reached us under a
 * rebound name sends its own Host; one that calls across sites sends Origin or Sec-Fetch-Site.
 * Throws host_refused, origin_refused, bad_request.
 * @returns the origin to answer to, where it is one of another site that may call.
 */
export function checkSite(request: SiteRequest, rules: SiteRules): string | undefined {
  const [host, ...others] = request.all('host');
  if (host === undefined || others.length > 0 || !rules.hosts.has(host.toLowerCase())) {
    throw new DevLoopError('host_refused', 'The Host header is not one that this server answers to.', {
      hint: `Use ${[...rules.hosts].join(' or ')}.`,
    });
  }
  if (!request.target.startsWith('/')) throw new DevLoopError('bad_request', 'The request target is not a path.');
  const origins = request.all('origin');
  const [origin] = origins;
  if (origin !== undefined && origins.length === 1 && rules.origins.has(origin)) return origin;
  if (origins.length > 1 || (origin !== undefined && origin !== `http://${host.toLowerCase()}`)) throw refusedOrigin();
  const sites = request.all('sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) throw refusedOrigin();
  return undefined;
}

function refusedOrigin(): DevLoopError {
  return new DevLoopError('origin_refused', 'The request comes from a page of another site.', {
    hint: 'Programs need no Origin header; a page of another site must be in the list of allowed origins.',
  });
}
