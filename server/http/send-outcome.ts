import { once } from 'node:events';
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

/** Sends content of any kind; `prefix` goes before what a stream gives. */
export async function sendDownload(
  { type, content, filename, etag, prefix = '' }: Download & { readonly prefix?: string },
  { request, response }: Exchange,
  setup: Pick<HttpSetup, 'log'>,
): Promise<void> {
  const stream = content instanceof Readable ? content : undefined;
  if (stream !== undefined) await firstBytes(stream);
  if (filename !== undefined) response.attachment(filename);
  if (etag !== undefined) response.setHeader('etag', `"${etag}"`);
  response.setHeader('content-type', type);
  response.setHeader('content-security-policy', DOWNLOAD_POLICY);
  if (!(content instanceof Readable)) {
    response.send(Buffer.from(content));
    return;
  }
  if (request.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  if (prefix !== '') response.write(prefix);
  await pipeline(content, response).catch((error: unknown) => {
    response.destroy();
    setup.log.warn('a download broke off', { address: request.path, cause: String(error) });
  });
}

/** A stream that fails before its first bytes are sent still gets its problem and status. */
async function firstBytes(stream: Readable): Promise<void> {
  stream.on('error', () => undefined);
  if (!stream.readableEnded && stream.readableLength === 0) await once(stream, 'readable');
  if (stream.errored) throw stream.errored;
}
