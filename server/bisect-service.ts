import { join } from 'node:path';
import type { BisectVerdict } from './domain/bisect-step.ts';
import { bytePathFromText } from './domain/byte-path.ts';
import type { ProjectId, UnitId } from './domain/ids.ts';
import { type IntegrationSpec, integrationSpecSchema } from './domain/integration-spec.ts';
import { settingsSchema, unitsFileSchema } from './domain/project.ts';
import type { UnitOutcome } from './domain/verdicts.ts';
import type { HttpServices } from './http/index.ts';
import { readBelow } from './io/safe-path.ts';
import type { GitVault } from './vault/index.ts';
import type { Verdicts } from './verdicts/index.ts';

type Bisect = HttpServices['vault']['bisect'];
type Search = Parameters<Bisect>[1];

/** Joins the search for the first bad commit to the runs that judge one: a unit's own tests, or one integration case. */
export function bisectService({ vault, verdicts }: { readonly vault: GitVault; readonly verdicts: Verdicts }): Bisect {
  return (pid: ProjectId, { good, bad, check, signal }: Search) => {
    const ends = { good, bad, signal };
    if ('unit' in check) {
      const path = bytePathFromText(`units/${check.unit}`);
      return vault.bisect(pid, {
        ...ends,
        path,
        check: (folder) => runUnit(verdicts, { folder, unit: check.unit, signal }),
      });
    }
    return vault.bisect(pid, { ...ends, check: (folder) => runCase(verdicts, { folder, id: check.case, signal }) });
  };
}

const { limits } = settingsSchema.parse({});
const LIMITS = { wall_ms: limits.test_ms, output_bytes: limits.output_bytes };
const MOST_BYTES = 10_000_000;

/** What no test could be found in, and what never came to an end, says nothing about the work. */
const VERDICT_OF: Readonly<Record<UnitOutcome, BisectVerdict>> = {
  green: 'good',
  red: 'bad',
  crashed: 'bad',
  tampered: 'skipped',
  no_tests: 'skipped',
  timeout: 'skipped',
};

async function runUnit(
  verdicts: Verdicts,
  { folder, unit, signal }: { readonly folder: string; readonly unit: UnitId; readonly signal: AbortSignal },
): Promise<BisectVerdict> {
  const units = readJson(folder, 'units.json', (value) => unitsFileSchema.safeParse(value).data)?.units ?? [];
  const found = units.find(({ id }) => id === unit);
  if (found === undefined) return 'skipped';
  const { outcome } = await verdicts.runUnit({
    root: folder,
    unit,
    command: found.test_command,
    promised: [],
    limits: LIMITS,
    signal,
  });
  return VERDICT_OF[outcome];
}

async function runCase(
  verdicts: Verdicts,
  { folder, id, signal }: { readonly folder: string; readonly id: string; readonly signal: AbortSignal },
): Promise<BisectVerdict> {
  const spec = readJson(folder, 'integration/spec.json', (value) => integrationSpecSchema.safeParse(value).data);
  const only: IntegrationSpec | undefined = spec && { ...spec, cases: spec.cases.filter((one) => one.id === id) };
  if (only === undefined || only.cases.length === 0) return 'skipped';
  const logs = {
    process_log: join(folder, 'integration/process.log'),
    trace_file: join(folder, 'integration/trace.gz'),
  };
  const { outcome } = await verdicts.runIntegration({ root: folder, spec: only, limits: LIMITS, signal, ...logs });
  return outcome === 'pass' ? 'good' : outcome === 'fail' ? 'bad' : 'skipped';
}

function readJson<Value>(
  folder: string,
  path: string,
  parse: (value: unknown) => Value | undefined,
): Value | undefined {
  const text = readBelow(folder, path, MOST_BYTES)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
