#!/usr/bin/env node
import { runCli } from './run-cli.ts';

/** The process of the command line: signals in, exit status out. The first signal asks, the second ends. */
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
