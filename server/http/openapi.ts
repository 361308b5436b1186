import { z } from 'zod';
import type { ErrorCode } from '../domain/errors.ts';
import { PROBLEM_STATUS, PROBLEM_TITLES } from './problem-table.ts';
import { type Answer, addressOf, type Route } from './route.ts';
import { ROUTES } from './routes/all-routes.ts';

type Json = { readonly [name: string]: unknown };

/** What any route may answer, besides its own codes. */
export const COMMON_CODES: readonly ErrorCode[] = [
  'unauthorized',
  'host_refused',
  'origin_refused',
  'too_many_requests',
];
export const BODY_CODES: readonly ErrorCode[] = ['bad_request', 'body_too_large', 'unsupported_media_type'];

/** The OpenAPI 3.1 document, made from the routes and their schemas. */
export function openApiDocument(version: string): Json {
  const components: Record<string, unknown> = { Problem: schemaOf(problemSchema, 'output', {}) };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of ROUTES) {
    const { method, address } = placeOf(route);
    paths[address] = { ...paths[address], [method]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'DevLoop',
      version,
      description: 'Runs a team of coding agents on a project and versions everything they do in git.',
    },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: components },
  };
}

/** Where the document has a route: `get` of `/api/devloop/projects/{pid}`. */
export function placeOf(route: Route): { readonly method: string; readonly address: string } {
  const { method, path } = addressOf(route);
  return { method: method.toLowerCase(), address: path.replace(/:(\w+)/g, '{$1}') };
}

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ at: z.string(), message: z.string() })),
  hint: z.string().optional(),
});

function operation(route: Route, components: Record<string, unknown>): Json {
  return {
    operationId: operationId(route),
    summary: route.summary,
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...headers(route)],
    ...(takesBody(route) ? { requestBody: requestBody(route, components) } : {}),
    responses: { ...success(route.answer, components), ...problems(codesOf(route)) },
  };
}

/** `GET /projects/:pid/units` -> `get_projects_pid_units` */
export const operationId = (route: Route): string => route.id.replace(/[^A-Za-z]+/g, '_').toLowerCase();

/** Every code that a route can answer with. */
export function codesOf(route: Route): readonly ErrorCode[] {
  const takesInput = Object.keys(propertiesOf(route.query)).length > 0 || takesBody(route);
  return [
    ...route.codes,
    ...(takesInput && !route.codes.includes('validation_failed') ? (['validation_failed'] as const) : []),
    ...(takesBody(route) ? BODY_CODES : []),
    ...COMMON_CODES,
  ];
}

const takesBody = ({ id }: Route): boolean => /^(POST|PATCH) /.test(id);

function parameters(where: 'path' | 'query', schema: z.ZodType): readonly Json[] {
  const required = schemaOf(schema, 'input', {}).required;
  return Object.entries(propertiesOf(schema)).map(([name, part]) => ({
    name,
    in: where,
    required: where === 'path' || (Array.isArray(required) && required.includes(name)),
    schema: part,
  }));
}

const propertiesOf = (schema: z.ZodType): Json => (schemaOf(schema, 'input', {}).properties ?? {}) as Json;

function headers(route: Route): readonly Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  return [
    ...(route.starts ? [header('Idempotency-Key', 'The same key gives the first answer again')] : []),
    ...(route.codes.includes('precondition_failed')
      ? [header('If-Match', 'The ETag of the status that was seen')]
      : []),
    ...(route.answer.kind === 'events' ? [header('Last-Event-ID', 'Replay what came after this id')] : []),
  ];
}

function requestBody(route: Route, components: Record<string, unknown>): Json {
  const schema =
    route.body === undefined
      ? { type: 'object', additionalProperties: false }
      : schemaOf(route.body, 'input', components);
  const { required } = schema;
  return { required: Array.isArray(required) && required.length > 0, content: { 'application/json': { schema } } };
}

function success(answer: Answer, components: Record<string, unknown>): Json {
  switch (answer.kind) {
    case 'empty':
      return { 204: { description: 'Done' } };
    case 'events':
      return {
        200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      };
    case 'json':
      return {
        [answer.status]: {
          description: answer.status === 202 ? 'Accepted' : answer.status === 201 ? 'Created' : 'OK',
          content: { 'application/json': { schema: schemaOf(answer.schema, 'output', components) } },
        },
      };
    case 'download': {
      const { types, schema } = answer;
      const content = types.map((type) => [
        type,
        { schema: type.endsWith('json') && schema ? schemaOf(schema, 'output', components) : {} },
      ]);
      return { 200: { description: 'OK', content: Object.fromEntries(content) } };
    }
  }
}

function problems(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => PROBLEM_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${PROBLEM_TITLES[code]}`).join('. '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** A schema's JSON form; named parts move to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Record<string, unknown>): Json {
  const { $schema: _dialect, $defs, id: _id, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  for (const [name, part] of Object.entries(($defs ?? {}) as Json)) components[name] = relinked(withoutId(part));
  return relinked(rest) as Json;
}

function withoutId(part: unknown): unknown {
  const { id: _id, ...rest } = part as Json;
  return rest;
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : relinked(member),
    ]),
  );
}
