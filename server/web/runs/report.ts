import type { RunResult } from '../api/types.ts';

/** One test or case of a run. */
export interface Check {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
  readonly duration_ms?: number;
}

/** What result.json says, for people: the checks that failed first. */
export interface Report {
  readonly command?: string;
  /** Exit status or signal. */
  readonly exit?: string;
  readonly duration_ms?: number;
  readonly checks: readonly Check[];
  readonly missing: readonly string[];
  readonly output?: string;
  /** Why the services did not come up. */
  readonly environment_error?: string;
}

const ORDER: Readonly<Record<Check['outcome'], number>> = { failed: 0, skipped: 1, passed: 2 };

/** Reads the content of a unit's or an integration run's result.json; what has another form is left out. */
export function reportOf({ result }: Pick<RunResult, 'result'>): Report {
  const file = recordOf(result);
  const checks = [...listOf(file.tests).map(testOf), ...listOf(file.cases).map(caseOf)];
  const command = listOf(file.command).filter((word) => typeof word === 'string');
  const exit = textOf(file.signal) ?? (typeof file.exit_code === 'number' ? String(file.exit_code) : undefined);
  return {
    checks: checks.sort((a, b) => ORDER[a.outcome] - ORDER[b.outcome]),
    missing: listOf(file.missing_tests).filter((name) => typeof name === 'string'),
    ...(command.length > 0 && { command: command.map(quoted).join(' ') }),
    ...(exit !== undefined && { exit }),
    ...given('duration_ms', file.duration_ms),
    ...(textOf(file.output_tail) !== undefined && { output: String(file.output_tail) }),
    ...(textOf(file.environment_error) !== undefined && { environment_error: String(file.environment_error) }),
  };
}

function testOf(value: unknown): Check {
  const { id, status, message, duration_ms } = recordOf(value);
  const outcome = status === 'failed' || status === 'skipped' ? status : 'passed';
  return { name: textOf(id) ?? '', outcome, ...given('duration_ms', duration_ms), ...said(message) };
}

function caseOf(value: unknown): Check {
  const { id, title, outcome, failure, duration_ms } = recordOf(value);
  const name = textOf(title) ?? textOf(id) ?? '';
  return {
    name,
    outcome: outcome === 'pass' ? 'passed' : 'failed',
    ...given('duration_ms', duration_ms),
    ...said(failure),
  };
}

const said = (message: unknown) => (typeof message === 'string' ? { message } : {});
const given = (name: 'duration_ms', value: unknown) => (typeof value === 'number' ? { [name]: value } : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value instanceof Object ? (value as Readonly<Record<string, unknown>>) : {};
const quoted = (word: string): string => (/^[\w./:=@%+-]+$/.test(word) ? word : JSON.stringify(word));
