import type { IntegrationCase, IntegrationSpec } from '../domain/integration-spec.ts';
import type { CaseResult, IntegrationReport } from '../domain/verdicts.ts';
import { hasCode } from '../io/io-error.ts';
import { runProcess } from '../io/run-process.ts';
import { type ConfinedRun, openRun, type RunLimits, type RunSetting } from './confined-run.ts';
import { describeEnd } from './describe-end.ts';
import { type IntegrationLog, integrationLog } from './integration-log.ts';
import { runSteps } from './run-case.ts';
import { type Services, startServices } from './services.ts';
import { type Places, stableText } from './stable-text.ts';

export interface IntegrationRunInput {
  /** Absolute path of the project's folder. */
  readonly root: string;
  readonly spec: IntegrationSpec;
  /** `wall_ms` of the whole run; `output_bytes` of each service and command. */
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Absolute paths below the root. */
  readonly process_log: string;
  readonly trace_file: string;
}

/**
 * Starts the services of a specification, runs its cases in order, and ends everything. A service that does not come up
 * is an `environment` outcome without cases; a case that finds no time any more has failed. Whatever happens, the logs are
 * written. Rejects with the signal's reason where the run was aborted.
 *
 * The programs have the host's network: the server itself makes the requests, and a loopback of their own would be out of its reach.
 */
export async function runIntegration(setting: RunSetting, input: IntegrationRunInput): Promise<IntegrationReport> {
  input.signal.throwIfAborted();
  const begun = performance.now();
  const log = integrationLog();
  const run = openRun(setting, { root: input.root, name: 'integration' });
  try {
    const result = await runServicesAndCases(run, input, log)
      .finally(() => log.write(input.root, input))
      .catch((error: unknown) => refused(error, input, placesOf(run)));
    input.signal.throwIfAborted();
    return { ...result, duration_ms: Math.round(performance.now() - begun) };
  } finally {
    await run.close();
  }
}

/** A link where the run's bounds or its logs are to be keeps it from being made. */
function refused(error: unknown, { spec }: IntegrationRunInput, places: Places): Result {
  if (!hasCode(error, 'path_refused')) throw error;
  return notUp(spec, stableText(error.message, places));
}

const notUp = ({ cases }: IntegrationSpec, environment_error: string): Result => ({
  outcome: 'environment',
  passed: 0,
  total: cases.length,
  cases: [],
  environment_error,
});

type Result = Omit<IntegrationReport, 'duration_ms'>;

async function runServicesAndCases(run: ConfinedRun, input: IntegrationRunInput, log: IntegrationLog): Promise<Result> {
  const { spec, limits } = input;
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(limits.wall_ms)]);
  const services = await startServices(spec.services, {
    run,
    output_bytes: limits.output_bytes,
    signal,
    onOutput: log.output,
  });
  try {
    const environment_error = await services.ready();
    if (environment_error !== undefined) return notUp(spec, environment_error);
    const total = spec.cases.length;
    const cases: CaseResult[] = [];
    for (const one of spec.cases) cases.push(await runCase(one, { run, services, log, limits, signal }));
    const passed = cases.filter((one) => one.outcome === 'pass').length;
    return { outcome: passed === total ? 'pass' : 'fail', passed, total, cases };
  } finally {
    await services.end();
  }
}

interface CaseSetting {
  readonly run: ConfinedRun;
  readonly services: Services;
  readonly log: IntegrationLog;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
}

async function runCase(one: IntegrationCase, setting: CaseSetting): Promise<CaseResult> {
  const begun = performance.now();
  const { failure, unit } = await caseOutcome(one, setting);
  return {
    id: one.id,
    title: one.title,
    outcome: failure === undefined ? 'pass' : 'fail',
    duration_ms: Math.round(performance.now() - begun),
    ...(failure === undefined ? {} : { failure: stableText(failure, placesOf(setting.run)) }),
    ...(unit === undefined ? {} : { service: unit }),
  };
}

const placesOf = (run: ConfinedRun): Places => ({ bases: [run.root], temporary: [run.folder] });

async function caseOutcome(
  one: IntegrationCase,
  { run, services, log, limits, signal }: CaseSetting,
): Promise<{ readonly failure?: string; readonly unit?: string }> {
  if (signal.aborted) return { failure: `not run: the run's ${limits.wall_ms} ms were over` };
  if ('steps' in one) {
    const onExchange = log.exchange.bind(undefined, one.id);
    return runSteps(one.steps, { targets: services.targets, signal, onExchange });
  }
  const result = await runProcess({
    ...run.request({ argv: one.command, cwd: run.root, network: 'host', env: services.env }),
    limits: { output_bytes: limits.output_bytes },
    signal,
    onOutput: (chunk) => log.output(one.id, chunk),
  });
  if (result.ended === 'aborted') return { failure: `the command did not end within the run's ${limits.wall_ms} ms` };
  if (result.ended === 'exit' && result.exit_code === 0) return {};
  return { failure: `the command ${describeEnd(result)}` };
}
