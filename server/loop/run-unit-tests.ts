import { bytePathFromText } from '../domain/byte-path.ts';
import type { TestEffect } from '../domain/effect.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid, RunId, UnitId } from '../domain/ids.ts';
import type { RunOutcome } from '../domain/loop-event.ts';
import { shortReport } from '../domain/short-report.ts';
import type { UnitReport, UnitResultFile } from '../domain/verdicts.ts';
import { timeOf, type Workplace } from './workplace.ts';

interface Trees {
  readonly code_tree: Oid;
  readonly tests_tree: Oid;
}

/**
 * Makes the server's own run of a unit's tests and writes its result. The verdict is `tampered` where the tests are not those that
 * the Tester left, or code, tests or `.git` changed while they ran.
 */
export async function runUnitTests(effect: TestEffect, at: Workplace): Promise<RunOutcome> {
  const { key, unit } = effect;
  const run = at.ports.ids.runId();
  await at.bench.begin(key, { own: [`units/${unit}/runs/**`], reach: [`units/${unit}/**`] });
  const { report, before, after } = await testRun(effect, at, run).catch(async (error: unknown) => {
    await at.bench.end(key);
    throw error;
  });
  const { strays, tampered } = await at.bench.end(key);
  if (at.signal.aborted) return { kind: 'run.interrupted', key };
  if (strays.length > 0)
    at.ports.log.warn('a test run left files, which were put back', { run, unit, files: strays.length });
  const same = sameTrees(before, after) && before.tests_tree === effect.tests_tree && tampered.length === 0;
  const judged: UnitReport = same ? report : { ...report, outcome: 'tampered' };
  await writeResult(effect, at, { run, report: judged, trees: before });
  return { kind: 'unit.tested', key, run, report: shortReport(judged), ...before };
}

async function testRun(
  { unit, command, promised, test_ms, output_bytes }: TestEffect,
  { ports, folder, signal }: Workplace,
  run: RunId,
): Promise<{ readonly report: UnitReport; readonly before: Trees; readonly after: Trees }> {
  const { root } = folder;
  const before = await unitTrees(ports.vault, folder.pid, unit);
  const report = await ports.verdicts.runUnit({
    root,
    unit,
    command,
    promised,
    limits: { wall_ms: test_ms, output_bytes },
    signal,
    stdout_file: `${root}/units/${unit}/runs/${run}/stdout.txt`,
  });
  return { report, before, after: await unitTrees(ports.vault, folder.pid, unit) };
}

/** Ids of a unit's code/ and tests/ as they are on the disk. */
export async function unitTrees(
  vault: Workplace['ports']['vault'],
  pid: Workplace['folder']['pid'],
  unit: UnitId,
): Promise<Trees> {
  const folders = [`units/${unit}/code`, `units/${unit}/tests`].map(bytePathFromText);
  const [code_tree, tests_tree] = await vault.treeIds(pid, folders);
  if (code_tree === undefined || tests_tree === undefined)
    throw new DevLoopError('internal', `no trees of unit ${unit}`);
  return { code_tree, tests_tree };
}

export function sameTrees(a: Trees, b: Trees): boolean {
  return a.code_tree === b.code_tree && a.tests_tree === b.tests_tree;
}

function writeResult(
  { unit, round, attempt }: TestEffect,
  at: Workplace,
  { run, report, trees }: { readonly run: RunId; readonly report: UnitReport; readonly trees: Trees },
): Promise<void> {
  const file: UnitResultFile = { schema: 1, run, unit, round, attempt, ...report, ...trees, ts: timeOf(at) };
  return at.bench.write(`units/${unit}/runs/${run}/result.json`, `${JSON.stringify(file, null, 2)}\n`);
}
