// Makes dist/ anew, for the published package: the sources as JavaScript with their types, and the page.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
for (const argv of [
  [tsc, '-p', join(root, 'tsconfig.build.json')],
  ['--disable-warning=ExperimentalWarning', join(root, 'scripts', 'build-page.ts')],
]) {
  const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
