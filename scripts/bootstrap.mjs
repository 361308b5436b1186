#!/usr/bin/env node
// `node scripts/bootstrap.mjs CMD…` is `devloop CMD…`, in the folder where it is called, on any machine with Node 18, npm and git.
import { join } from 'node:path';
import { currentServes, prepare, ROOT, runNode } from './toolchain.mjs';

const main = join(ROOT, 'server', 'cli', 'main.ts');
const node = prepare();
if (process.argv[2] === 'serve' && (await runNode(node, [join(ROOT, 'scripts', 'build-page.ts')])) !== 0) {
  process.stderr.write(
    'devloop: the page could not be built; what is served is the API, and a page built before if there is one\n',
  );
}
if (currentServes()) {
  process.argv.splice(1, 1, main);
  await import(main);
} else {
  process.exitCode = await runNode(node, [main, ...process.argv.slice(2)]);
}
