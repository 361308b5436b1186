import fc from 'fast-check';

/** A JSON schema or a part of the document. */
type Json = { readonly [name: string]: unknown };

export interface GeneratedRequest {
  readonly method: string;
  /** With path and query filled in. */
  readonly path: string;
  readonly template: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Requests as the document describes them, with values that fit, values that nearly fit, and rubbish. `known` gives values of path
 * parameters that exist, `fixed` the only values of members of queries and bodies: those that are not to be made up.
 */
export function requestsOf(
  document: Json,
  known: Readonly<Record<string, readonly string[]>>,
  fixed: Readonly<Record<string, readonly unknown[]>> = {},
): fc.Arbitrary<GeneratedRequest> {
  const schemas = ((document.components as Json).schemas ?? {}) as Record<string, Json>;
  const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
    ([template, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        requestOf(operation, { method: method.toUpperCase(), template, schemas, known, fixed }),
      ),
  );
  return fc.oneof(...operations);
}

/** The document with the addresses below one only. */
export function partBelow(document: Json, base: string): Json {
  const paths = Object.entries(document.paths as Json).filter(([path]) => path.startsWith(`${base}/`));
  return { ...document, paths: Object.fromEntries(paths) };
}

interface Place {
  readonly method: string;
  readonly template: string;
  readonly schemas: Readonly<Record<string, Json>>;
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly fixed: Readonly<Record<string, readonly unknown[]>>;
}

function requestOf(
  operation: Json,
  { method, template, schemas, known, fixed }: Place,
): fc.Arbitrary<GeneratedRequest> {
  const parameters = operation.parameters as readonly { name: string; in: string; required?: boolean; schema: Json }[];
  const where = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const content = (operation.requestBody as { content: Json } | undefined)?.content['application/json'] as
    | Json
    | undefined;
  const paths = fc.record(
    Object.fromEntries(
      where('path').map(({ name, schema }) => [
        name,
        mostly(fc.constantFrom(...(known[name] ?? ['x'])), valueFor(schema, { schemas, fixed })),
      ]),
    ),
  );
  const query = fc.record(
    Object.fromEntries(
      where('query').map(({ name, schema }) => [
        name,
        fixed[name] ? fc.constantFrom(...fixed[name]) : mostly(valueFor(schema, { schemas, fixed }), fc.string()),
      ]),
    ),
    { requiredKeys: where('query').flatMap(({ name, required }) => (required ? [name] : [])) },
  );
  const headers = fc.record(
    Object.fromEntries(where('header').map(({ name }) => [name.toLowerCase(), fc.stringMatching(/^[!-~]{1,20}$/)])),
    { requiredKeys: [] },
  );
  const body =
    content === undefined
      ? fc.constant(undefined)
      : mostly(valueFor(content.schema as Json, { schemas, fixed }), fc.jsonValue());
  return fc.record({ paths, query, headers, body }).map((parts) => ({
    method,
    template,
    path: addressOf(template, parts.paths, parts.query),
    body: parts.body,
    headers: parts.headers as Readonly<Record<string, string>>,
  }));
}

function addressOf(
  template: string,
  paths: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(wellFormed(String(paths[name] ?? ''))),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, wellFormed(String(value))]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

const wellFormed = (text: string): string => text.toWellFormed();

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** Values that a schema describes. */
function valueFor(schema: Json, { schemas, fixed }: Pick<Place, 'schemas' | 'fixed'>): fc.Arbitrary<unknown> {
  const again = (part: unknown) => valueFor(part as Json, { schemas, fixed });
  if (typeof schema.$ref === 'string') return again(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choice = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choice)) return fc.oneof(...choice.map(again));
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 1000) });
    case 'number':
      return fc.double({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 1000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(again(schema.items ?? {}), { minLength: Number(schema.minItems ?? 0), maxLength: 4 });
    case 'object':
      return objectOf(schema, { again, fixed });
    default:
      return fc.jsonValue();
  }
}

const bound = (limit: unknown, usual: number): number =>
  typeof limit === 'number' && Math.abs(limit) < 1e9 ? limit : usual;

function stringOf(schema: Json): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern));
  const minLength = Number(schema.minLength ?? 0);
  return fc.oneof(
    fc.string({ minLength, maxLength: minLength + 20, unit: 'binary' }),
    fc
      .constantFrom('HEAD', 'main', 'prd-rev-1', 'attempts/store/1/1', 'prd/prd.md')
      .filter((text) => text.length >= minLength),
  );
}

function objectOf(
  schema: Json,
  { again, fixed }: { readonly again: (part: unknown) => fc.Arbitrary<unknown> } & Pick<Place, 'fixed'>,
): fc.Arbitrary<unknown> {
  const members = Object.entries((schema.properties ?? {}) as Json).map(
    ([name, part]) => [name, fixed[name] ? fc.constantFrom(...fixed[name]) : again(part)] as const,
  );
  const requiredKeys = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return fc.record(Object.fromEntries(members), { requiredKeys });
}
