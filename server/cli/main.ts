#!/usr/bin/env node
/** The process of the command line: signals in, exit status out. The first signal asks, the second ends. */
import { prepareProcess } from './prepare-process.ts';

prepareProcess();
const { runCli } = await import('./run-cli.ts');

const told = new AbortController();
let taken: ((name: NodeJS.Signals) => void) | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (taken !== undefined) return taken(name);
    if (told.signal.aborted) process.exit(130);
    told.abort(name);
  });
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { argv, env, stdin, stdout, stderr } = process;
const end = await runCli({
  argv: argv.slice(2),
  env,
  cwd: process.cwd(),
  stdin,
  stdout,
  stderr,
  signal: told.signal,
  takeSignals: (handler) => {
    taken = handler;
    return () => {
      taken = undefined;
    };
  },
  abandon: (status) => process.exit(status),
});
if (typeof end === 'number') process.exitCode = end;
else if (end.signal === null) process.exitCode = end.exit_code ?? 1;
else {
  // Whoever waits for us sees the end that the program had.
  process.removeAllListeners(end.signal);
  process.kill(process.pid, end.signal);
}
