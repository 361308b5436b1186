import type { TestCase, UnitOutcome } from '../domain/verdicts.ts';
import type { ProcessResult } from '../io/process-request.ts';
import type { Reading } from './readers/reading.ts';

export interface Judgement {
  readonly outcome: Exclude<UnitOutcome, 'tampered'>;
  readonly missing_tests: readonly string[];
}

/** pytest's exit status where it collected nothing. */
const PYTEST_NO_TESTS = 5;

/**
 * Green takes an exit status of 0, at least one test that ran, none that failed, and every promised test among those that
 * ran. `crashed` is a run that ended by a signal, by its output, or with an error and no test to tell of.
 */
export function judge(result: ProcessResult, reading: Reading | undefined, promised: readonly string[]): Judgement {
  const tests = reading?.tests ?? [];
  const ran = tests.filter((test) => test.status !== 'skipped');
  const missing_tests = promised.filter((name) => !isAmong(name, ran, reading?.groups ?? []));
  const judged = (outcome: Judgement['outcome']): Judgement => ({ outcome, missing_tests });
  if (result.ended === 'wall' || result.ended === 'idle') return judged('timeout');
  if (result.ended !== 'exit' || wasKilled(result.exit_code)) return judged('crashed');
  if (ran.length === 0)
    return judged(result.exit_code === 0 || result.exit_code === PYTEST_NO_TESTS ? 'no_tests' : 'crashed');
  const failed = ran.some((test) => test.status === 'failed') || reading?.problem !== undefined;
  return judged(result.exit_code !== 0 || failed || missing_tests.length > 0 ? 'red' : 'green');
}

/** A sandbox and a shell tell a signal as 128 and its number. */
const wasKilled = (exit_code: number | null): boolean => exit_code === null || (exit_code > 128 && exit_code < 160);

/** A promise may leave outer names out, or tell the file before them; a group is kept where one of its tests ran. */
function isAmong(promise: string, ran: readonly TestCase[], groups: readonly string[]): boolean {
  const wanted = names(promise);
  if (ran.some((test) => endsAlike(names(test.id), wanted))) return true;
  return groups.some(
    (group) => endsAlike(names(group), wanted) && ran.some((test) => test.id.startsWith(`${group} > `)),
  );
}

const names = (id: string): readonly string[] => id.split(/ > |::/).map((name) => name.trim());

function endsAlike(a: readonly string[], b: readonly string[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(-shared).join('\0') === b.slice(-shared).join('\0');
}
