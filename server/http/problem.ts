import { DevLoopError, type ErrorCode } from '../domain/errors.ts';
import { PROBLEM_STATUS, PROBLEM_TITLES } from './problem-table.ts';

/** One part of a request that did not fit. `at` is a JSON pointer into the body, or `query.name`, `params.name`. */
export interface ProblemPart {
  readonly at: string;
  readonly message: string;
}

/** RFC 9457, as `application/problem+json`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly errors: readonly ProblemPart[];
  readonly hint?: string;
  readonly [fact: string]: unknown;
}

export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  /** True where the fault is ours: it belongs in the log, and its text stays there. */
  readonly unexpected: boolean;
}

/** Facts of an error's data that a client may see; everything else stays inside. */
const FACTS = ['files', 'snapshot', 'options', 'oldest', 'allow', 'moved', 'findings', 'total', 'refs'] as const;
const RETRY_AFTER_S = '1';
const ABSOLUTE_PATH = /(?<![\w.:/])\/(?:[^\s'"`:,;()]+\/)*[^\s'"`:,;()]+/g;

/** Turns any thrown value into the problem that the client gets. Paths outside of the data folder are taken out of texts. */
export function problemOf(thrown: unknown, dataFolder: string): ProblemAnswer {
  const error = asDevLoopError(thrown);
  const unexpected = error.code === 'internal';
  const status = PROBLEM_STATUS[error.code];
  const problem: Problem = {
    type: `urn:devloop:problem:${error.code}`,
    title: PROBLEM_TITLES[error.code],
    status,
    detail: unexpected
      ? 'The server failed on this request; its log says why.'
      : withoutPaths(error.message, dataFolder),
    code: error.code,
    errors: partsOf(error),
    ...(error.hint === undefined || unexpected ? {} : { hint: withoutPaths(error.hint, dataFolder) }),
    ...factsOf(error),
  };
  return { problem, headers: headersOf(error, status), unexpected };
}

function asDevLoopError(thrown: unknown): DevLoopError {
  if (thrown instanceof DevLoopError) return thrown;
  if (thrown instanceof Error && 'status' in thrown && thrown.status === 400) {
    return new DevLoopError('bad_request', 'The address of the request is not well formed.', { cause: thrown });
  }
  return new DevLoopError('internal', 'unexpected failure', { cause: thrown });
}

function withoutPaths(text: string, dataFolder: string): string {
  return text.replace(ABSOLUTE_PATH, (path) => (isBelow(path, dataFolder) ? path : '…'));
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function partsOf(error: DevLoopError): readonly ProblemPart[] {
  const parts = error.data.errors;
  return Array.isArray(parts) ? parts.filter(isPart) : [];
}

function isPart(value: unknown): value is ProblemPart {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}

function factsOf(error: DevLoopError): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    FACTS.filter((name) => error.data[name] !== undefined).map((name) => [name, error.data[name]]),
  );
}

function headersOf(error: DevLoopError, status: number): Readonly<Record<string, string>> {
  if (status === 401)
    return { 'www-authenticate': `${error.data.scheme === 'Basic' ? 'Basic' : 'Bearer'} realm="devloop"` };
  if (status === 429 || status === 503) return { 'retry-after': RETRY_AFTER_S };
  if (status === 405 && Array.isArray(error.data.allow)) return { allow: error.data.allow.join(', ') };
  if (status === 413) return { connection: 'close' };
  return {};
}
