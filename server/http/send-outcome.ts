import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { DOWNLOAD_POLICY } from './guard/security-headers.ts';
import type { HttpSetup } from './options.ts';
import type { Download, Outcome } from './route.ts';
import type { SseStreams } from './sse-stream.ts';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Sends what a route came to. A stream that fails on the way breaks the connection rather than end short. */
export async function sendOutcome(
  outcome: Outcome,
  { request, response }: Exchange,
  { setup, streams }: { readonly setup: HttpSetup; readonly streams: SseStreams },
): Promise<void> {
  switch (outcome.kind) {
    case 'empty':
      response.status(204).end();
      return;
    case 'json':
      if (outcome.etag !== undefined) response.setHeader('etag', `"${outcome.etag}"`);
      linkNext(outcome.body, { request, response });
      response.status(outcome.status).type('json').send(JSON.stringify(outcome.body));
      return;
    case 'events':
      await streams.serve(response, outcome.items);
      return;
    case 'download':
      await sendDownload(outcome, { request, response }, setup);
  }
}

/** `Link: <…>; rel="next"` where a list goes on: the same address with the cursor (or the timeline's place) of the next page. */
function linkNext(body: unknown, { request, response }: Exchange): void {
  if (typeof body !== 'object' || body === null || !('next' in body) || typeof body.next !== 'string') return;
  const url = new URL(request.originalUrl, 'http://localhost');
  url.searchParams.set(url.pathname.endsWith('/timeline') ? 'after' : 'cursor', body.next);
  response.setHeader('link', `<${url.pathname}${url.search}>; rel="next"`);
}

/** So much of a stream is held back, in bytes: what fails until then is still answered with its problem and status. */
export const HELD_BYTES = 1024 * 1024;

/** Sends content of any kind; `prefix` goes before what a stream gives. */
export async function sendDownload(
  { type, content, filename, etag, prefix = '', held_bytes = HELD_BYTES }: Download & { readonly prefix?: string },
  { request, response }: Exchange,
  setup: Pick<HttpSetup, 'log'>,
): Promise<void> {
  const begun = content instanceof Readable ? await begin(content, held_bytes) : undefined;
  if (filename !== undefined) response.attachment(filename);
  if (etag !== undefined) response.setHeader('etag', `"${etag}"`);
  response.setHeader('content-type', type);
  response.setHeader('content-security-policy', DOWNLOAD_POLICY);
  if (!(content instanceof Readable)) {
    response.send(Buffer.from(content));
    return;
  }
  const first = Buffer.concat([Buffer.from(prefix), ...(begun?.first ?? [])]);
  if (begun?.whole) response.setHeader('content-length', first.length);
  if (begun?.whole || request.method === 'HEAD') {
    content.destroy();
    response.end(first);
    return;
  }
  response.write(first);
  await pipeline(content, response).catch((error: unknown) => {
    // A client may go away at any time: only what failed here has ended the answer with an error.
    if (response.errored) setup.log.warn('a download broke off', { address: request.path, error });
  });
}

interface Begun {
  readonly first: readonly Buffer[];
  /** True where it has ended, and well. */
  readonly whole: boolean;
}

/** Takes what comes first of a stream: so many bytes at least, or all where it ends before. */
async function begin(stream: Readable, bytes: number): Promise<Begun> {
  // Between this and the sending nobody else listens.
  stream.on('error', () => undefined);
  const first: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    first.push(Buffer.from(chunk));
    size += chunk.length;
    if (size >= bytes) return { first, whole: false };
  }
  return { first, whole: true };
}
