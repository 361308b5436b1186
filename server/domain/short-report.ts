import type { TestCase, UnitReport } from './verdicts.ts';

const MOST_TESTS = 200;

/** A report for the journal and the next coder: of very many tests only the first, failed ones before others. */
export function shortReport(report: UnitReport): UnitReport {
  const { tests, missing_tests } = report;
  if (tests.length <= MOST_TESTS && missing_tests.length <= MOST_TESTS) return report;
  const failed = (test: TestCase): boolean => test.status === 'failed';
  const first = [...tests.filter(failed), ...tests.filter((test) => !failed(test))].slice(0, MOST_TESTS);
  return { ...report, tests: first, missing_tests: missing_tests.slice(0, MOST_TESTS) };
}
