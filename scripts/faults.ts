/** `npm run faults` injects every fault into every scenario; `-- --sample` a fixed sample; further words pick scenarios by name. */
import { parseArgs } from 'node:util';
import { runFaults } from '../test/faults/run-faults.ts';
import { SCENARIOS } from '../test/faults/scenarios/index.ts';

const SAMPLE_SHARE = 0.12;

const { values, positionals } = parseArgs({
  options: { sample: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = SCENARIOS.filter(
  (one) => positionals.length === 0 || positionals.some((word) => one.name.includes(word)),
);
let injected = 0;
let survived = 0;
for (const scenario of chosen) {
  const report = await runFaults(scenario, values.sample ? SAMPLE_SHARE : 1);
  injected += report.injected;
  survived += report.survived;
  process.stdout.write(`${report.scenario.padEnd(28)} ${report.injected} injected, ${report.survived} survived\n`);
  for (const fault of report.faults) process.stdout.write(`  ${fault}\n`);
}
process.stdout.write(`${injected} injected, ${survived} survived\n`);
process.exitCode = injected > 0 && injected === survived ? 0 : 1;
