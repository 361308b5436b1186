import { simpleGit } from 'simple-git';
import { DevLoopError } from '../domain/errors.ts';
import { type GitCall, gitCall } from './environment.ts';
import { gitFailure } from './git-failure.ts';
import { refuseAlternates } from './shadow-dir.ts';

export interface RunOptions {
  /** Exit statuses that are no failure; [0] where absent. */
  readonly okExits?: readonly number[];
  /** Milliseconds until the process is ended; 60,000 where absent. */
  readonly timeout_ms?: number;
  /** `key=value` settings for this call only; the keys are literals of ours. */
  readonly config?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface RunResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a git command with short output that is text.
 * The exit status alone tells whether it went well: what stderr holds decides nothing.
 * @throws DevLoopError timeout, git_failed and the other codes of a git failure
 */
export async function runGit(shadowDir: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  refuseAlternates(shadowDir);
  const { timeout_ms = 60_000, okExits = [0], config = [] } = options;
  const limit = AbortSignal.timeout(timeout_ms);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  const end = await Promise.race([raw(gitCall(shadowDir, args, { config }), signal), aborted(signal)]);
  if (end === 'aborted' && limit.aborted) {
    throw new DevLoopError('timeout', `git ${args[0] ?? ''} did not end within ${timeout_ms} ms`, {
      data: { command: args[0] ?? '' },
    });
  }
  if (end === 'aborted')
    throw new DevLoopError('git_failed', `git ${args[0] ?? ''} was stopped because nobody waits for it any more`);
  if (!okExits.includes(end.exit)) throw gitFailure({ args, ...end });
  return end;
}

/** The least version that has all that we use: `cat-file --batch-command` and `merge-tree --write-tree`. */
const LEAST_VERSION = [2, 38] as const;

/**
 * Proves at start that git can be run as we want it to be: found, new enough, and with our environment let through.
 * @param folder absolute path of any folder
 * @throws DevLoopError git_failed
 */
export async function checkGit(folder: string): Promise<{ readonly version: string }> {
  const call = gitCall(folder, ['version']);
  const end = await raw(call, AbortSignal.timeout(20_000));
  const version = /^git version (\d+)\.(\d+)\S*/.exec(end.stdout);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  const old = major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]);
  if (end.exit === 0 && version !== null && !old) return { version: version[0].slice('git version '.length) };
  throw new DevLoopError(
    'git_failed',
    old ? `git ${major}.${minor} is too old` : `git cannot be run: ${end.stderr.trim()}`,
    {
      hint: `Install git ${LEAST_VERSION.join('.')} or newer, and have it in PATH.`,
    },
  );
}

/** What the library refuses unless told otherwise: exactly the kinds that our own fixed settings belong to. */
const OURS = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeEditor: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
} as const;

async function raw(call: GitCall, signal: AbortSignal): Promise<RunResult> {
  let end: RunResult | undefined;
  const git = simpleGit({
    baseDir: call.cwd,
    unsafe: OURS,
    allowEnvironment: Object.keys(call.env),
    abort: signal,
    // Left alone, the library takes status 1 with an empty stderr for success and stderr with status 0 for failure.
    errors: (_error, result) => {
      end = { exit: result.exitCode, stdout: text(result.stdOut), stderr: text(result.stdErr) };
      return undefined;
    },
  }).env({ ...call.env });
  try {
    await git.raw(...call.args);
  } catch (error) {
    if (signal.aborted) return { exit: -1, stdout: '', stderr: 'aborted' };
    if (end === undefined)
      throw new DevLoopError('git_failed', `git could not be started: ${(error as Error).message}`, { cause: error });
  }
  if (end === undefined) throw new DevLoopError('internal', 'the errors plugin was not called');
  return end;
}

const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
