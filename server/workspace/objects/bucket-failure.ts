import { DevLoopError } from '../../domain/errors.ts';
import type { BucketRequest } from './bucket-request.ts';

/** Statuses, and codes of other statuses, that another try may not meet. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(['RequestTimeout', 'SlowDown', 'OperationAborted']);
const MOST_TEXT = 64 * 1024;

/**
 * What a bad status means: a plain error where another try may go well, else bucket_refused. Of the body only the code is
 * taken, as a body can repeat what was sent.
 */
export async function refusalOf(url: string, request: BucketRequest, response: Response): Promise<Error> {
  const { status } = response;
  const code = codeOf(await someText(response));
  if (PASSING.has(status) || PASSING_CODES.has(code)) return new Error(`it answered ${status} ${code}`.trim());
  return new DevLoopError('bucket_refused', `${doing(request)} at ${url}: it answered ${status} ${code}`.trim(), {
    data: { url, status, ...(code !== '' && { code }) },
    hint: hintOf(status, code),
  });
}

/** A refusal where an object is not there because its bucket is not. */
export async function bucketIsMissing(response: Response): Promise<DevLoopError | undefined> {
  if (codeOf(await someText(response)) !== 'NoSuchBucket') return undefined;
  const { url } = response;
  return new DevLoopError('bucket_refused', `there is no such bucket: ${url}`, {
    data: { url },
    hint: hintOf(404, ''),
  });
}

export function unreachable(url: string, request: BucketRequest, cause: unknown): DevLoopError {
  const why = cause instanceof Error ? `: ${reasonOf(cause)}` : '';
  return new DevLoopError('bucket_unreachable', `${doing(request)} at ${url} failed several times${why}`, {
    data: { url },
    hint: 'Try again when the bucket answers. Nothing was lost.',
    cause,
  });
}

function doing({ method, key }: BucketRequest): string {
  return `${method} of ${key === '' ? 'the bucket' : key}`;
}

/** fetch says only that it failed; why is below. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function someText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_TEXT) break;
  }
  return Buffer.concat(chunks).toString();
}

const codeOf = (text: string): string => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '';

function hintOf(status: number, code: string): string {
  if (code === 'RequestTimeTooSkewed') return 'Set the clock of this machine.';
  if (status === 403)
    return 'Check DEVLOOP_BUCKET_ACCESS_KEY_ID, DEVLOOP_BUCKET_SECRET_ACCESS_KEY and what they may do.';
  if (status >= 300 && status < 400) return 'Check `bucket_url` and `bucket_region`: this address leads elsewhere.';
  return 'Check `bucket_url`: it is the address of the bucket itself.';
}
