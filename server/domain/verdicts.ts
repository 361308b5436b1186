import type { Oid, RunId, UnitId } from './ids.ts';

export const UNIT_OUTCOMES = ['green', 'red', 'no_tests', 'tampered', 'timeout', 'crashed'] as const;
export type UnitOutcome = (typeof UNIT_OUTCOMES)[number];

export interface TestCase {
  /** Names from the outermost suite to the test, joined by ' > '. */
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly duration_ms?: number;
  /** The assertion's own words, at most 4,000 characters; stack lines left out. */
  readonly message?: string;
}

/** A run of a unit's test command by the server, in parsed form. */
export interface UnitReport {
  readonly outcome: UnitOutcome;
  /** Which reader understood the output: node:test, tap, junit, … */
  readonly runner: string;
  readonly command: readonly string[];
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly duration_ms: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tests: readonly TestCase[];
  /** Promised by the Tester and not found in the run. */
  readonly missing_tests: readonly string[];
  /** The last 8,000 characters of what the run printed. */
  readonly output_tail: string;
}

/** units/{unit}/runs/{run}/result.json */
export interface UnitResultFile extends UnitReport {
  readonly schema: 1;
  readonly run: RunId;
  readonly unit: UnitId;
  readonly attempt: number;
  readonly round: number;
  /** Ids of the unit's code/ and tests/ trees: equal before and after the run, and in the commit. */
  readonly code_tree: Oid;
  readonly tests_tree: Oid;
  readonly ts: string;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: 'pass' | 'fail';
  readonly duration_ms: number;
  /** What was expected and what came, for the first expectation that failed. */
  readonly failure?: string;
  /** The unit whose service answered last, where it is known. */
  readonly service?: string;
}

/** A run of integration/spec.json by the server. */
export interface IntegrationReport {
  readonly outcome: 'pass' | 'fail' | 'environment';
  readonly passed: number;
  readonly total: number;
  readonly cases: readonly CaseResult[];
  /** Why services did not come up, where they did not. */
  readonly environment_error?: string;
  readonly duration_ms: number;
}

/** integration/runs/{run}/result.json */
export interface IntegrationResultFile extends IntegrationReport {
  readonly schema: 1;
  readonly run: RunId;
  readonly round: number;
  readonly ts: string;
}
