import type { IncomingMessage } from 'node:http';
import { DevLoopError } from '../domain/errors.ts';

/** How much over the limit is read and dropped, so that the client gets to read the answer. */
const DROPPED_BYTES = 4 * 1024 * 1024;

/** Reads a body whole. Throws body_too_large, and bad_request where it ends early. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = announced > limit + DROPPED_BYTES ? announced : 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size > limit + DROPPED_BYTES) break;
    }
  } catch (error) {
    throw new DevLoopError('bad_request', 'The body ended before it was complete.', { cause: error });
  }
  if (size <= limit) return Buffer.concat(chunks);
  throw new DevLoopError('body_too_large', `The body is larger than ${limit} bytes.`);
}
