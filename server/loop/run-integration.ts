import type { IntegrationEffect } from '../domain/effect.ts';
import type { RunId } from '../domain/ids.ts';
import { type IntegrationSpec, integrationSpecSchema } from '../domain/integration-spec.ts';
import type { RunOutcome } from '../domain/loop-event.ts';
import type { IntegrationReport, IntegrationResultFile } from '../domain/verdicts.ts';
import { timeOf, type Workplace } from './workplace.ts';

const LARGEST_SPEC = 4_000_000;
const PROCESS_LOG = 'process.log';

/** Makes the server's own run of the integration cases and writes its result. What the services leave in the project is put back. */
export async function runIntegration(effect: IntegrationEffect, at: Workplace): Promise<RunOutcome> {
  const { key, round } = effect;
  const run = at.ports.ids.runId();
  const own = [`integration/runs/${run}/**`];
  await at.bench.begin(key, { own, reach: own });
  const report = await casesRun(effect, at, run).catch(async (error: unknown) => {
    await at.bench.end(key);
    throw error;
  });
  const { strays, tampered } = await at.bench.end(key);
  if (at.signal.aborted) return { kind: 'run.interrupted', key };
  if (strays.length > 0)
    at.ports.log.warn('an integration run left files, which were put back', { run, files: strays.length });
  const judged = tampered.length === 0 ? report : tamperedReport(report, tampered);
  const file: IntegrationResultFile = { schema: 1, run, round, ...judged, ts: timeOf(at) };
  await at.bench.write(`integration/runs/${run}/result.json`, `${JSON.stringify(file, null, 2)}\n`);
  return { kind: 'integration.ran', key, run, report: judged };
}

async function casesRun(
  effect: IntegrationEffect,
  { ports, folder, signal }: Workplace,
  run: RunId,
): Promise<IntegrationReport> {
  const { root, pid } = folder;
  const text = await ports.projects.read(pid, 'integration/spec.json', LARGEST_SPEC);
  const spec = text === undefined ? undefined : parseSpec(new TextDecoder().decode(text));
  if (spec === undefined) return noCases('integration/spec.json is absent or does not fit its schema');
  const folderOfRun = `${root}/integration/runs/${run}`;
  return ports.verdicts.runIntegration({
    root,
    spec,
    limits: { wall_ms: effect.test_ms, output_bytes: effect.output_bytes },
    signal,
    process_log: `${folderOfRun}/${PROCESS_LOG}`,
    trace_file: `${folderOfRun}/http-trace.ndjson.gz`,
  });
}

function parseSpec(text: string): IntegrationSpec | undefined {
  try {
    return integrationSpecSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const noCases = (environment_error: string): IntegrationReport => ({
  outcome: 'environment',
  passed: 0,
  total: 0,
  cases: [],
  environment_error,
  duration_ms: 0,
});

function tamperedReport(report: IntegrationReport, names: readonly string[]): IntegrationReport {
  const outcome = report.outcome === 'pass' ? 'fail' : report.outcome;
  return {
    ...report,
    outcome,
    environment_error: `changed in .git while the cases ran, and put back: ${names.join(', ')}`,
  };
}
