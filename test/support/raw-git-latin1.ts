import { spawnSync } from 'node:child_process';

/** Runs git as a person would, on a home folder without configuration, and gives its output as bytes in latin1. Fails the test where git fails. */
export function rawGit(
  cwd: string,
  args: readonly string[],
  options: { readonly input?: string; readonly home?: string } = {},
): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: options.home ?? '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.org',
  };
  const run = spawnSync('git', args, {
    cwd,
    env,
    input: Buffer.from(options.input ?? '', 'latin1'),
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr?.toString() || run.error?.message}`);
  return run.stdout.toString('latin1');
}
