/**
 * `npm run faults` injects every fault into every scenario; `-- --sample` a fixed sample; further words pick scenarios by name. `server` kills
 * whole servers, `power` cuts the power (`--seed=N` other cuts): these two are in no sample.
 */
import { parseArgs } from 'node:util';
import { type Kill, killedRun, undisturbedRun } from '../test/faults/kill-server.ts';
import { powerCuts } from '../test/faults/power/power-cuts.ts';
import { type FaultReport, runFaults } from '../test/faults/run-faults.ts';
import { SCENARIOS } from '../test/faults/scenarios/index.ts';
import { workspaceScenarios } from '../test/faults/scenarios/workspace.ts';

/** Of a workspace's five operations, 300 faults together. */
const SAMPLE = { share: 0.12, least: 10 };
const WORKSPACE_SAMPLE = { share: 0.12, least: 66 };
const ALL = { share: 1, least: 0 };
const SERVER = 'server';
const POWER = 'power';
const SERVER_KILLS = 30;

const { values, positionals } = parseArgs({
  options: { sample: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const chosen = SCENARIOS.filter(
  (one) => positionals.length === 0 || positionals.some((word) => one.name.includes(word)),
);
let injected = 0;
let survived = 0;
for (const scenario of chosen) {
  const sample = workspaceScenarios.includes(scenario) ? WORKSPACE_SAMPLE : SAMPLE;
  count(await runFaults(scenario, values.sample ? sample : ALL));
}
if (isWanted(SERVER)) count(await killServer());
if (isWanted(POWER)) for (const report of await powerCuts(Number(values.seed))) count(report);
process.stdout.write(`${injected} injected, ${survived} survived\n`);
process.exitCode = injected > 0 && injected === survived ? 0 : 1;

function isWanted(name: string): boolean {
  return !values.sample && (positionals.length === 0 || positionals.includes(name));
}

function count(report: FaultReport): void {
  injected += report.injected;
  survived += report.survived;
  process.stdout.write(`${report.scenario.padEnd(28)} ${report.injected} injected, ${report.survived} survived\n`);
  for (const fault of report.faults) process.stdout.write(`  ${fault}\n`);
}

/** kill -9 of a whole server at moments spread over the demo, settled by each of the two actions in turn. */
async function killServer(): Promise<FaultReport> {
  const expected = await undisturbedRun();
  const kills = Array.from(
    { length: SERVER_KILLS },
    (_, i): Kill => ({
      after_ms: ((i + Math.random()) / SERVER_KILLS) * expected.duration_ms,
      action: i % 2 === 0 ? 'reset_hard' : 'commit_as_wip',
    }),
  );
  const faults: string[] = [];
  for (const kill of kills) {
    const problem = await killedRun(kill, expected).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (problem !== undefined) faults.push(`${kill.action} after ${Math.round(kill.after_ms)} ms: ${problem}`);
  }
  return { scenario: SERVER, injected: kills.length, survived: kills.length - faults.length, faults };
}
