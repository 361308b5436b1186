#!/usr/bin/env node
// `node scripts/bootstrap.mjs CMD…` is `devloop CMD…`, in the folder where it is called, on any machine with Node 18, npm and git.
import { join } from 'node:path';
import { currentServes, prepare, ROOT, runNode } from './toolchain.mjs';

const main = join(ROOT, 'server', 'cli', 'main.ts');
const node = prepare();
if (currentServes()) {
  process.argv.splice(1, 1, main);
  await import(main);
} else {
  process.exitCode = await runNode(node, [main, ...process.argv.slice(2)]);
}
