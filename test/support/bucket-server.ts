import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with a request. */
export type BucketFault =
  | 'error' // 500, and nothing is done
  | 'close' // the connection is cut, and nothing is done
  | 'close_after' // it is done, and the connection is cut
  | 'lose' // it is acknowledged, and not done
  | 'wrong' // other bytes are given, or kept
  | 'short' // the answer's body breaks off
  | 'hang' // no answer ever
  | 'hang_after' // it is done, and there is no answer ever
  | 'slow'; // the answer comes in pieces

export interface BucketCall {
  /** Counts from 1. */
  readonly n: number;
  readonly method: string;
  /** Key, or empty for the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
}

export interface BucketServer extends AsyncDisposable {
  /** Address of the bucket. */
  readonly url: string;
  readonly objects: Map<string, { readonly bytes: Buffer; readonly at: number }>;
  readonly uploads: Map<string, { readonly key: string; readonly at: number; readonly parts: Map<number, Buffer> }>;
  readonly calls: BucketCall[];
  /** Said for each request, once its body is there. */
  fault: (call: BucketCall) => BucketFault | undefined;
  /** False for a server that gives the whole object whatever range is asked for. */
  ranges: boolean;
}

/** Milliseconds since 1970, as the server sees it. */
export const SERVER_NOW = Date.parse('2026-11-30T12:00:00Z');
const PAGE = 3;

/** A server in this process that speaks as much of the S3 protocol as objects need, pages of 3, and does what goes wrong. */
export async function bucketServer(keyId = 'key-id'): Promise<BucketServer> {
  const state = {
    objects: new Map() as BucketServer['objects'],
    uploads: new Map() as BucketServer['uploads'],
    calls: [] as BucketCall[],
    fault: (() => undefined) as BucketServer['fault'],
    ranges: true,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const address = new URL(request.url ?? '', 'http://localhost');
    const key = decodeURIComponent(address.pathname.replace(/^\/bucket\/?/, ''));
    const call = { n: state.calls.length + 1, method: request.method ?? '', key, query: address.searchParams };
    state.calls.push(call);
    answer({ call, request, response, body: Buffer.concat(chunks), state, keyId });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/bucket`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

interface Exchange {
  readonly call: BucketCall;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly state: Pick<BucketServer, 'objects' | 'uploads' | 'fault' | 'ranges'>;
  readonly keyId: string;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

function answer(exchange: Exchange): void {
  const { response, call, state } = exchange;
  const fault = state.fault(call);
  if (fault === 'hang') return;
  if (fault === 'close') response.destroy();
  else if (fault === 'error') send(response, error(500, 'InternalError'), call);
  else answerWell(exchange, fault);
}

function answerWell(exchange: Exchange, fault: BucketFault | undefined): void {
  const { response, call, body } = exchange;
  const kept = fault === 'wrong' && call.method === 'PUT' ? Buffer.alloc(body.length, 'x') : body;
  const lost: Reply = { status: 200, headers: { etag: '"lost"' } };
  const reply = refused(exchange) ?? (fault === 'lose' ? lost : act({ ...exchange, body: kept }));
  if (fault === 'wrong' && Buffer.isBuffer(reply.body)) reply.body[0] = (reply.body[0] ?? 0) ^ 1;
  if (fault === 'hang_after') return;
  if (fault === 'close_after') response.destroy();
  else if ((fault === 'short' || fault === 'slow') && Buffer.isBuffer(reply.body)) inPieces(response, reply, fault);
  else send(response, reply, call);
}

function refused({ request, body, keyId }: Exchange): Reply | undefined {
  const { authorization = '' } = request.headers;
  const hash = createHash('sha256').update(body).digest('hex');
  if (!authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${keyId}/`)) {
    // As real ones do, it says what it was sent.
    return error(403, 'InvalidAccessKeyId', authorization);
  }
  return request.headers['x-amz-content-sha256'] === hash ? undefined : error(400, 'XAmzContentSHA256Mismatch');
}

function act(exchange: Exchange): Reply {
  const { call, state } = exchange;
  const { method, key, query } = call;
  if (key === '') return query.has('uploads') ? listUploads(exchange) : listObjects(exchange);
  if (query.has('uploads') || query.has('uploadId')) return multipart(exchange);
  switch (method) {
    case 'PUT':
      state.objects.set(key, { bytes: exchange.body, at: SERVER_NOW });
      return { status: 200, headers: { etag: '"x"' } };
    case 'DELETE':
      state.objects.delete(key);
      return { status: 204 };
    default:
      return read(exchange);
  }
}

function read({ call, request, state }: Exchange): Reply {
  const found = state.objects.get(call.key);
  if (found === undefined) return error(404, 'NoSuchKey');
  const from = state.ranges ? /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] : undefined;
  const bytes = Buffer.from(found.bytes.subarray(Number(from ?? 0)));
  return { status: from === undefined ? 200 : 206, headers: { 'content-length': String(bytes.length) }, body: bytes };
}

function multipart({ call: { n, method, key, query }, body, state }: Exchange): Reply {
  if (query.has('uploads')) {
    state.uploads.set(`u${n}`, { key, at: SERVER_NOW, parts: new Map() });
    return xml('InitiateMultipartUploadResult', `<UploadId>u${n}</UploadId>`);
  }
  const id = query.get('uploadId') ?? '';
  const upload = state.uploads.get(id);
  if (upload === undefined) return error(404, 'NoSuchUpload');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: `"part&${query.get('partNumber')}"` } };
  }
  state.uploads.delete(id);
  if (method === 'DELETE') return { status: 204 };
  const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;part&amp;\d+&quot;/g)];
  const parts = numbers.map(([, number]) => upload.parts.get(Number(number)) ?? Buffer.alloc(0));
  if (numbers.length !== upload.parts.size) return xml('Error', '<Code>InvalidPart</Code>');
  state.objects.set(key, { bytes: Buffer.concat(parts), at: SERVER_NOW });
  return xml('CompleteMultipartUploadResult', '');
}

function listObjects({ call: { query }, state }: Exchange): Reply {
  const after = query.get('continuation-token') ?? '';
  const keys = [...state.objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const rows = keys.slice(0, PAGE).map((key) => {
    const { bytes, at } = state.objects.get(key) ?? { bytes: Buffer.alloc(0), at: 0 };
    const time = new Date(at).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  return page('ListBucketResult', {
    keys,
    rows,
    next: (last) => `<NextContinuationToken>${last}</NextContinuationToken>`,
  });
}

function listUploads({ call: { query }, state }: Exchange): Reply {
  const after = query.get('upload-id-marker') ?? '';
  const ids = [...state.uploads.keys()].filter((id) => id > after).sort();
  const rows = ids.slice(0, PAGE).map((id) => {
    const { key, at } = state.uploads.get(id) ?? { key: '', at: 0 };
    const time = new Date(at).toISOString();
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${time}</Initiated></Upload>`;
  });
  const next = (last: string) => `<NextKeyMarker>k</NextKeyMarker><NextUploadIdMarker>${last}</NextUploadIdMarker>`;
  return page('ListMultipartUploadsResult', { keys: ids, rows, next });
}

function page(
  root: string,
  { keys, rows, next }: { keys: readonly string[]; rows: readonly string[]; next: (last: string) => string },
): Reply {
  const more = keys.length > PAGE;
  return xml(root, `<IsTruncated>${more}</IsTruncated>${more ? next(keys[PAGE - 1] ?? '') : ''}${rows.join('')}`);
}

const xml = (root: string, inner: string): Reply => ({
  status: 200,
  body: `  <?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`,
});

const error = (status: number, code: string, said = ''): Reply => ({
  ...xml('Error', `<Code>${code}</Code><Message>${said}</Message>`),
  status,
});

function send(response: ServerResponse, { status, headers = {}, body = '' }: Reply, { method }: BucketCall): void {
  response.writeHead(status, {
    date: new Date(SERVER_NOW).toUTCString(),
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function inPieces(response: ServerResponse, { status, headers, body }: Reply, fault: 'short' | 'slow'): void {
  const bytes = Buffer.from(body ?? '');
  response.writeHead(status, headers);
  const half = Math.ceil(bytes.length / 2);
  response.write(bytes.subarray(0, half), () => {
    if (fault === 'short') response.destroy();
    else setImmediate(() => response.end(bytes.subarray(half)));
  });
}
