#!/usr/bin/env node
/** The process of the command line: signals in, exit status out. The first signal asks, the second ends. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

// The sources are TypeScript: stripped once, not at each start (a second of processor time for a server).
if (import.meta.filename.endsWith('.ts')) enableCompileCache(join(packageRoot(), 'node_modules', '.cache', 'devloop'));
const { runCli } = await import('./run-cli.ts');

const told = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (told.signal.aborted) process.exit(130);
    told.abort(name);
  });
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { argv, env, stdin, stdout, stderr } = process;
process.exitCode = await runCli({
  argv: argv.slice(2),
  env,
  cwd: process.cwd(),
  stdin,
  stdout,
  stderr,
  signal: told.signal,
  abandon: (status) => process.exit(status),
});
