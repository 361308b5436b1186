import { isDeepStrictEqual } from 'node:util';
import type { HttpStep } from '../domain/integration-spec.ts';
import { type Captures, fill, fillText } from './captures.ts';
import type { HttpExchange } from './http-exchange.ts';
import { atPath } from './json-path.ts';

export type Answer = Extract<HttpExchange, { readonly kind: 'answered' }>;

/** The first expectation that an answer does not meet, in words: what was expected and what came. Throws NotCaptured. */
export function unmet(answer: Answer, expect: HttpStep['expect'], captures: Captures): string | undefined {
  return (
    unmetStatus(answer, expect.status) ??
    unmetHeaders(answer, expect.headers ?? {}, captures) ??
    unmetJson(answer, expect.json ?? {}, captures) ??
    unmetText(answer, expect.body_contains, captures)
  );
}

/** The answer's body as JSON; undefined where it is none. */
export function jsonBody(answer: Answer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(answer.body) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function unmetStatus(answer: Answer, expected: number | undefined): string | undefined {
  if (expected === undefined || answer.status === expected) return undefined;
  return `expected status ${expected}, got ${answer.status}${answer.status < 400 ? '' : said(answer)}`;
}

/** What an error answer says is worth telling. */
const said = (answer: Answer): string => (answer.body.trim() === '' ? '' : `: ${excerpt(answer.body.trim())}`);

/** Parameters of the value, such as a charset, may follow what was expected. */
function unmetHeaders(
  answer: Answer,
  expected: Readonly<Record<string, string>>,
  captures: Captures,
): string | undefined {
  for (const [name, template] of Object.entries(expected)) {
    const value = fillText(template, captures);
    const came = answer.headers[name.toLowerCase()];
    if (came === undefined) return `expected header ${name}: ${value}, there was none`;
    if (came !== value && !came.startsWith(`${value};`))
      return `expected header ${name}: ${value}, got ${excerpt(came)}`;
  }
  return undefined;
}

function unmetJson(
  answer: Answer,
  expected: Readonly<Record<string, unknown>>,
  captures: Captures,
): string | undefined {
  const paths = Object.entries(expected);
  if (paths.length === 0) return undefined;
  const body = jsonBody(answer);
  if (body === undefined) return `expected a JSON body, got ${excerpt(answer.body) || 'an empty one'}`;
  for (const [path, template] of paths) {
    const value = fill(template, captures);
    const found = atPath(body.value, path);
    const where = path === '' ? 'the body' : path;
    if (found.kind === 'absent') return `expected ${where} to be ${shown(value)}, it is absent`;
    if (!isDeepStrictEqual(found.value, value))
      return `expected ${where} to be ${shown(value)}, got ${shown(found.value)}`;
  }
  return undefined;
}

function unmetText(answer: Answer, template: string | undefined, captures: Captures): string | undefined {
  if (template === undefined) return undefined;
  const text = fillText(template, captures);
  return answer.body.includes(text)
    ? undefined
    : `expected the body to contain ${shown(text)}, got ${excerpt(answer.body)}`;
}

const shown = (value: unknown): string => excerpt(JSON.stringify(value) ?? 'nothing');
const excerpt = (text: string): string => (text.length <= 300 ? text : `${text.slice(0, 299)}…`);
