// `node scripts/task.mjs NAME …`: a development task with the right Node and dependencies in place.
import { join } from 'node:path';
import { prepare, ROOT, runNode } from './toolchain.mjs';

const [name, ...rest] = process.argv.slice(2);
const node = prepare();
const bin = (path) => join(ROOT, 'node_modules', path);
const steps = {
  check: [
    [bin('typescript/bin/tsc'), '-p', ROOT],
    [bin('typescript/bin/tsc'), '-p', join(ROOT, 'server/web')],
    [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', ROOT],
    [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', join(ROOT, '.dependency-cruiser.cjs'), 'server'],
    [join(ROOT, 'scripts/check-house.mjs')],
    [bin('knip/bin/knip.js'), '--no-progress'],
  ],
  build: [[join(ROOT, 'scripts/build.mjs')]],
  format: [[bin('@biomejs/biome/bin/biome'), 'check', '--write', ROOT]],
  test: [[join(ROOT, 'scripts/run-tests.mjs'), 'unit', ...rest]],
  'test:system': [[join(ROOT, 'scripts/run-tests.mjs'), 'system', ...rest]],
  bench: [[join(ROOT, 'scripts/bench/main.ts'), ...rest]],
  faults: [[join(ROOT, 'scripts/faults.ts'), ...rest]],
  'phase0-verify': [[join(ROOT, 'scripts/phase0-verify.ts'), ...rest]],
};
if (!steps[name]) {
  process.stderr.write(`unknown task ${name}; one of ${Object.keys(steps).join(', ')}\n`);
  process.exit(2);
}
for (const argv of steps[name]) {
  const status = await runNode(node, argv, { cwd: ROOT });
  if (status !== 0) process.exit(status);
}
