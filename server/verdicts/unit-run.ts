import { join, relative } from 'node:path';
import type { UnitId } from '../domain/ids.ts';
import type { TestCase, UnitReport } from '../domain/verdicts.ts';
import { hasCode } from '../io/io-error.ts';
import { writeBelow } from '../io/safe-path.ts';
import { openRun, type RunLimits, type RunSetting } from './confined-run.ts';
import { judge } from './judge.ts';
import { runTests, type TestRun } from './run-tests.ts';
import { type Places, relativePaths, stableText } from './stable-text.ts';

export interface UnitRunInput {
  /** Absolute path of the project's folder; the command runs in units/{unit}. */
  readonly root: string;
  readonly unit: UnitId;
  readonly command: readonly string[];
  /** Test ids promised by the Tester. */
  readonly promised: readonly string[];
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Absolute path, below the root, of the file that gets the raw output. */
  readonly stdout_file?: string;
}

/**
 * Runs a unit's test command in bounds and judges it. `command` in the report is the one that was asked for; the one that
 * is started may ask its runner for a report besides. Rejects with the signal's reason where the run was aborted.
 */
export async function runUnit(setting: RunSetting, input: UnitRunInput): Promise<UnitReport> {
  const { root, unit, command, limits, signal, stdout_file } = input;
  signal.throwIfAborted();
  const run = openRun(setting, { root, name: `unit-${unit}` });
  const cwd = join(run.root, 'units', unit);
  const places = { bases: [cwd, run.root], temporary: [run.folder] };
  try {
    const tested = await runTests(run, { unit, argv: command, cwd, limits, signal });
    if (tested.result.ended === 'aborted') throw signal.reason;
    if (stdout_file !== undefined) writeBelow(root, relative(root, stdout_file), tested.output.bytes());
    return unitReport(input, tested, places);
  } catch (error) {
    if (!hasCode(error, 'path_refused')) throw error;
    return crashed(input, stableText(error.message, places));
  } finally {
    await run.close();
  }
}

/** A link where the run's bounds or its output are to be is the unit's fault, and says so. */
function crashed({ command, promised }: UnitRunInput, why: string): UnitReport {
  const nothing = { exit_code: null, signal: null, duration_ms: 0, passed: 0, failed: 0, skipped: 0, tests: [] };
  return { outcome: 'crashed', runner: 'unknown', command, ...nothing, missing_tests: promised, output_tail: why };
}

function unitReport(input: UnitRunInput, { result, output, reading }: TestRun, places: Places): UnitReport {
  const tests = (reading?.tests ?? []).map((test) => stableTest(test, places));
  const count = (status: TestCase['status']): number => tests.filter((test) => test.status === status).length;
  return {
    ...judge(result, reading && { ...reading, tests }, input.promised),
    runner: reading?.runner ?? 'unknown',
    command: input.command,
    exit_code: result.exit_code,
    signal: result.signal,
    duration_ms: result.duration_ms,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    tests,
    output_tail: result.spawn_error ?? output.tail(),
  };
}

function stableTest(test: TestCase, places: Places): TestCase {
  const id = relativePaths(test.id, places);
  return test.message === undefined ? { ...test, id } : { ...test, id, message: stableText(test.message, places) };
}
