import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { parseRequestPart } from './request-part.ts';
import type { HttpServices, StreamItem } from './services.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** Where the address of a route begins: projects are below the first, workspaces below the second. */
export const ROUTE_BASES = ['/api/devloop', '/api'] as const;
/** Problems of routes that may ask the bucket with a workspace's large files. */
export const BUCKET_CODES = ['bucket_refused', 'bucket_unreachable'] as const;
export type RouteBase = (typeof ROUTE_BASES)[number];
/** Method and path as `GET /projects/:pid`, below the route's base; no two routes have the same. */
export type RouteId = `${Method} /${string}`;

/** The parts of a request, not yet parsed. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The best of these media types for the client; undefined where it takes none. */
  readonly accepts: (types: readonly string[]) => string | undefined;
  readonly lastEventId: string | undefined;
  /** The entity tag that the client saw, without quotes. */
  readonly ifMatch: string | undefined;
  /** Aborts when the client has gone or the server stops. */
  readonly signal: AbortSignal;
}

export interface Input<Params, Query, Body> extends Omit<RawRequest, 'params' | 'query' | 'body'> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

export interface Download {
  readonly kind: 'download';
  readonly type: string;
  readonly content: Readable | Uint8Array | string;
  /** Given: the client is told to save under this name. */
  readonly filename?: string;
  readonly etag?: string;
  /** Bytes of a stream that must be there, unless it ends, before anything is sent; `HELD_BYTES` where absent. */
  readonly held_bytes?: number;
}

export type Outcome =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown; readonly etag?: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'events'; readonly items: AsyncIterable<readonly StreamItem[]> }
  | Download;

/** What a caller gives and gets, by the schemas; only a type. */
export interface RouteTypes {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly response: unknown;
}

/** A route as data: express, the OpenAPI document, docs/http-api.md and the tests are derived from it. */
export interface Route<Id extends RouteId = RouteId, Types extends RouteTypes = RouteTypes> {
  readonly id: Id;
  readonly base: RouteBase;
  readonly summary: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** Problems of its own, besides those that every route can give. */
  readonly codes: readonly ErrorCode[];
  /** True where it starts something: it takes an Idempotency-Key. */
  readonly starts: boolean;
  readonly run: (raw: RawRequest, services: HttpServices) => Promise<Outcome>;
  /** Never set. */
  readonly types?: Types;
}

export type Answer =
  | { readonly kind: 'json'; readonly status: 200 | 201 | 202; readonly schema: z.ZodType }
  | { readonly kind: 'empty' }
  | { readonly kind: 'events' }
  | { readonly kind: 'download'; readonly types: readonly string[]; readonly schema?: z.ZodType };

const none = z.strictObject({});
type None = typeof none;

interface Head<P, Q, B> {
  /** `/api/devloop` where absent. */
  readonly base?: RouteBase;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly codes?: readonly ErrorCode[];
  readonly starts?: true;
}

type Handle<P, Q, B, Result> = (
  input: Input<z.output<P>, z.output<Q>, z.output<B>>,
  services: HttpServices,
) => Promise<Result>;

/** The method of a route, and its whole address with `:name` for each parameter. */
export function addressOf({ id, base }: Pick<Route, 'id' | 'base'>): {
  readonly method: Method;
  readonly path: string;
} {
  const space = id.indexOf(' ');
  // An id begins with one of the methods.
  return { method: id.slice(0, space) as Method, path: base + id.slice(space + 1) };
}

/** A route that answers with JSON. `etag` names the version of the body. */
export function jsonRoute<
  const Id extends RouteId,
  R extends z.ZodType,
  P extends z.ZodType = None,
  Q extends z.ZodType = None,
  B extends z.ZodType = None,
>(
  id: Id,
  spec: Head<P, Q, B> & {
    readonly status?: 201 | 202;
    readonly response: R;
    readonly etag?: (body: z.input<R>) => string;
    readonly handle: Handle<P, Q, B, z.input<R>>;
  },
): Route<Id, { params: z.input<P>; query: z.input<Q>; body: z.input<B>; response: z.output<R> }> {
  const status = spec.status ?? 200;
  return {
    ...shape(id, spec, { kind: 'json', status, schema: spec.response }),
    run: async (raw, services) => {
      const body = await spec.handle(parse(spec, raw), services);
      return { kind: 'json', status, body, ...(spec.etag === undefined ? {} : { etag: spec.etag(body) }) };
    },
  };
}

/** A route that answers 204. */
export function emptyRoute<
  const Id extends RouteId,
  P extends z.ZodType = None,
  Q extends z.ZodType = None,
  B extends z.ZodType = None,
>(
  id: Id,
  spec: Head<P, Q, B> & { readonly handle: Handle<P, Q, B, void> },
): Route<Id, { params: z.input<P>; query: z.input<Q>; body: z.input<B>; response: undefined }> {
  return {
    ...shape(id, spec, { kind: 'empty' }),
    run: async (raw, services) => {
      await spec.handle(parse(spec, raw), services);
      return { kind: 'empty' };
    },
  };
}

/** A route that answers with bytes. `schema` describes the JSON form, where it has one. */
export function downloadRoute<
  const Id extends RouteId,
  P extends z.ZodType = None,
  Q extends z.ZodType = None,
  R extends z.ZodType = z.ZodType<Uint8Array>,
>(
  id: Id,
  spec: Head<P, Q, None> & {
    readonly types: readonly string[];
    readonly schema?: R;
    readonly handle: Handle<P, Q, None, Omit<Download, 'kind'>>;
  },
): Route<Id, { params: z.input<P>; query: z.input<Q>; body: z.input<None>; response: z.output<R> }> {
  const { types, schema } = spec;
  return {
    ...shape(id, spec, { kind: 'download', types, ...(schema === undefined ? {} : { schema }) }),
    run: async (raw, services) => ({ kind: 'download', ...(await spec.handle(parse(spec, raw), services)) }),
  };
}

/** A route that answers with server-sent events. A Last-Event-ID header counts before `after` in the query. */
export function eventsRoute<const Id extends RouteId, P extends z.ZodType = None, Q extends z.ZodType = None>(
  id: Id,
  spec: Head<P, Q, None> & { readonly handle: Handle<P, Q, None, AsyncIterable<readonly StreamItem[]>> },
): Route<Id, { params: z.input<P>; query: z.input<Q>; body: z.input<None>; response: undefined }> {
  return {
    ...shape(id, spec, { kind: 'events' }),
    run: async (raw, services) => {
      const { lastEventId: after } = raw;
      const query = after === undefined ? raw.query : { ...raw.query, after };
      return { kind: 'events', items: await spec.handle(parse(spec, { ...raw, query }), services) };
    },
  };
}

function shape<Id extends RouteId>(id: Id, spec: Head<z.ZodType, z.ZodType, z.ZodType>, answer: Answer) {
  return {
    id,
    base: spec.base ?? ROUTE_BASES[0],
    summary: spec.summary,
    params: spec.params ?? none,
    query: spec.query ?? none,
    ...(spec.body === undefined ? {} : { body: spec.body }),
    answer,
    codes: spec.codes ?? [],
    starts: spec.starts === true,
  };
}

function parse<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  spec: Head<P, Q, B>,
  raw: RawRequest,
): Input<z.output<P>, z.output<Q>, z.output<B>> {
  return {
    ...raw,
    params: parseRequestPart('params', spec.params, raw.params),
    query: parseRequestPart('query', spec.query, raw.query),
    body: parseRequestPart('body', spec.body, raw.body),
  };
}
