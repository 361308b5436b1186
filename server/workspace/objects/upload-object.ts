import { createHash } from 'node:crypto';
import { DevLoopError, isDevLoopError } from '../../domain/errors.ts';
import { type BucketAnswer, type BucketClient, dropBody } from './bucket-client.ts';
import { readXml, textOf } from './bucket-xml.ts';
import { checkedContent } from './checked-content.ts';
import type { LargeFile } from './large-objects.ts';

export interface Upload {
  readonly key: string;
  readonly file: LargeFile;
  readonly content: AsyncIterable<Uint8Array>;
  readonly partBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** A store takes so many parts at most. */
const MOST_PARTS = 10_000;

/**
 * Sends a content, in parts where it is large, and asks whether it is there: an object comes into being whole, or not at all.
 * @throws DevLoopError bucket_unreachable where it was acknowledged and is not there
 */
export async function uploadObject(client: BucketClient, upload: Upload): Promise<void> {
  const { key, file, signal } = upload;
  const partBytes = Math.max(upload.partBytes, Math.ceil(file.size / MOST_PARTS));
  const parts = inParts(checkedContent(file, upload.content), partBytes);
  if (file.size <= partBytes) await putWhole(client, upload, parts);
  else await putParts(client, upload, parts);
  const size = await client.send({ method: 'HEAD', key, ok: [200, 404], signal }, async ({ response }) =>
    response.status === 404 ? undefined : Number(response.headers.get('content-length')),
  );
  if (size === file.size) return;
  throw new DevLoopError('bucket_unreachable', `the bucket acknowledged ${key} and does not have it`, {
    data: { key, expected: file.size, ...(size !== undefined && { size }) },
    hint: 'Try again. If it happens again, this bucket cannot be relied on.',
  });
}

async function putWhole(client: BucketClient, { key, signal }: Upload, parts: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of parts) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  await client.send({ method: 'PUT', key, body: bodyOf(bytes), ok: [200, 201], signal }, dropBody);
}

/** The object comes into being by the last request; before it, or without it, there are parts only, which `sweep` finds. */
async function putParts(client: BucketClient, { key, signal }: Upload, parts: AsyncIterable<Uint8Array>) {
  const begin = { method: 'POST', key, query: { uploads: '' }, ok: [200], signal } as const;
  const begun = await client.send(begin, (answer) => readXml(answer, 'InitiateMultipartUploadResult'));
  const uploadId = textOf(begun, 'UploadId');
  try {
    const tags: string[] = [];
    for await (const bytes of parts) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const request = { method: 'PUT', key, query, body: bodyOf(bytes), ok: [200], signal } as const;
      tags.push(await client.send(request, tagOf));
    }
    const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = bodyOf(Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`));
    // A first try whose answer was lost has ended the upload: whether the object is there is asked afterwards.
    const end = { method: 'POST', key, query: { uploadId }, body, ok: [200, 404], signal } as const;
    await client.send(end, async (answer) => {
      if (answer.response.status === 404) await dropBody(answer);
      else await readXml(answer, 'CompleteMultipartUploadResult');
    });
  } catch (error) {
    await abandon(client, { key, uploadId });
    throw error;
  }
}

async function tagOf(answer: BucketAnswer): Promise<string> {
  await dropBody(answer);
  return answer.response.headers.get('etag') ?? '';
}

/** Where it cannot be said now, the parts stay until they are swept. */
async function abandon(client: BucketClient, { key, uploadId }: { readonly key: string; readonly uploadId: string }) {
  try {
    await client.send({ method: 'DELETE', key, query: { uploadId }, ok: [204, 404] }, dropBody);
  } catch (error) {
    if (!isDevLoopError(error, 'bucket_unreachable', 'bucket_refused')) throw error;
  }
}

/** Cuts a content into pieces of one size, the last one shorter. */
async function* inParts(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let held = 0;
  for await (let chunk of content) {
    while (held + chunk.length >= size) {
      yield Buffer.concat([...chunks, chunk.subarray(0, size - held)]);
      chunk = chunk.subarray(size - held);
      [chunks, held] = [[], 0];
    }
    // The source may use its buffer anew.
    if (chunk.length > 0) chunks.push(Uint8Array.from(chunk));
    held += chunk.length;
  }
  if (held > 0) yield Buffer.concat(chunks);
}

function bodyOf(bytes: Uint8Array) {
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
