/** Headers of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
};

/** Besides, for content that agents wrote: whatever a browser makes of it, it has no origin and runs nothing. */
export const DOWNLOAD_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** What a page of an allowed other site gets to read the answer. */
export function crossSiteHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'etag, link, location, retry-after',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  };
}

/** The answer to its preflight. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, last-event-id',
  'access-control-max-age': '600',
};
