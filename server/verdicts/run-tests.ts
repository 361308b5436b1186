import { relative } from 'node:path';
import type { ProcessResult } from '../io/process-request.ts';
import { runProcess } from '../io/run-process.ts';
import type { ConfinedRun, RunLimits } from './confined-run.ts';
import { collectOutput, type Output, readIfFile } from './output.ts';
import { readOutput } from './readers/read-output.ts';
import type { Reading } from './readers/reading.ts';
import { type ReportFile, requestReport } from './report-request.ts';
import { readScripts } from './scripts.ts';

export interface TestRun {
  readonly result: ProcessResult;
  readonly output: Output;
  /** Undefined where no reader understood what the command reported and printed. */
  readonly reading: Reading | undefined;
}

interface TestCommand {
  readonly unit: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
}

/** Runs a test command, asks its runner for a report, and reads the report, or else what was printed. */
export async function runTests(run: ConfinedRun, { unit, argv, cwd, limits, signal }: TestCommand): Promise<TestRun> {
  const asked = requestReport(argv, { folder: run.reports, scripts: readScripts(run.root, unit) });
  const output = collectOutput();
  const request = run.request({ unit, argv: asked.argv, cwd, network: 'own', env: asked.env });
  const result = await runProcess({ ...request, limits, signal, onOutput: output.take });
  return { result, output, reading: readReports(run, asked.reports) ?? readStreams(output) };
}

/** The first report that tells of a test. */
function readReports(run: ConfinedRun, reports: readonly ReportFile[]): Reading | undefined {
  for (const { path, runner, read } of reports) {
    const text = readIfFile(run.folder, relative(run.folder, path));
    const reading = text === undefined ? undefined : read(text);
    if (reading !== undefined && reading.tests.length > 0) return { ...reading, runner };
  }
  return undefined;
}

/** Apart first: lines of the one may fall into lines of the other. */
function readStreams(output: Output): Reading | undefined {
  return readOutput(output.text('stdout')) ?? readOutput(output.text('stderr')) ?? readOutput(output.text());
}
