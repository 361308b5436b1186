// Runs the test files with node:test: `unit` needs only Node and git, `system` those named *.system.test.ts. Further words pick files by part of their path.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

const [suite, ...words] = process.argv.slice(2);
const files = globSync('test/**/*.test.ts')
  .filter((file) => file.endsWith('.system.test.ts') === (suite === 'system'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file matches ${words.join(' ') || suite}\n`);
  process.exit(1);
}
const argv = [
  '--test',
  `--test-concurrency=${availableParallelism()}`,
  // A test that hangs fails: no run waits for it for ever. The long ones of the system take an hour where others work beside them.
  `--test-timeout=${suite === 'system' ? 7_200_000 : 1_800_000}`,
  '--disable-warning=ExperimentalWarning',
  '--test-reporter=spec',
  ...files,
];
// Each file is a process of its own: the sources are stripped of their types once, not in each.
const env = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'), ...process.env };
process.exit(spawnSync(process.execPath, argv, { stdio: 'inherit', env }).status ?? 1);
