import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { DevLoopError } from '../domain/errors.ts';
import { type GitCallOptions, gitCall } from './environment.ts';
import { gitFailure } from './git-failure.ts';
import { refuseAlternates } from './shadow-dir.ts';
import { SilenceClock } from './silence-clock.ts';

export interface GitLimits {
  /** Milliseconds of a process that neither ends nor writes while somebody waits for it. */
  readonly idle_ms?: number;
  /** Bytes of output. */
  readonly output_bytes?: number;
}

export interface StreamOptions extends GitCallOptions {
  readonly stdin?: string | Uint8Array;
  readonly limits?: GitLimits;
  readonly signal?: AbortSignal;
  /** Exit statuses that are no failure; [0] where absent. */
  readonly okExits?: readonly number[];
}

/** A git process of which nothing is decided yet: the streams, its end, and the way to end it. */
export interface GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process is gone and its streams are closed; never rejects. */
  readonly closed: Promise<{ readonly exit: number | null; readonly signal: string | null; readonly stderr: string }>;
  /** TERM, and KILL after two seconds, to it and to what it started. */
  end(): void;
}

/** Starts git on a shadow git dir. Refuses object folders that borrow from elsewhere. */
export function startGit(shadowDir: string, args: readonly string[], options: GitCallOptions = {}): GitProcess {
  refuseAlternates(shadowDir);
  const call = gitCall(shadowDir, args, options);
  const child = spawn('git', call.args, {
    cwd: call.cwd,
    env: call.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(options.secret === undefined ? [] : (['pipe'] as const))],
  }) as ChildProcessWithoutNullStreams;
  if (options.secret !== undefined) giveSecret(child, options.secret);
  // A process that does not read its input closes the pipe; its exit status tells the rest.
  child.stdin.on('error', () => child.stdin.destroy());
  return { child, closed: endOf(child), end: () => endGroup(child) };
}

/**
 * Gives git's output as a stream that ends well only where git did: a failure, a limit or an abort destroys it with an error,
 * and destroying it ends the process.
 */
export function streamGit(shadowDir: string, args: readonly string[], options: StreamOptions = {}): GitOutput {
  const { signal, limits } = options;
  signal?.throwIfAborted();
  const process = startGit(shadowDir, args, options);
  process.child.stdin.end(options.stdin);
  return new GitOutput(process, {
    shadowDir,
    args,
    okExits: options.okExits ?? [0],
    ...limits,
    ...(signal ? { signal } : {}),
  });
}

/** Runs git to its end and gives the output as bytes; 64 MiB at most unless a limit says otherwise. */
export async function readGit(
  shadowDir: string,
  args: readonly string[],
  options: StreamOptions = {},
): Promise<Buffer> {
  return (await readGitEnd(shadowDir, args, options)).output;
}

/** The same, with the exit status: for commands that say something by it. */
export async function readGitEnd(
  shadowDir: string,
  args: readonly string[],
  options: StreamOptions,
): Promise<{ readonly output: Buffer; readonly exit: number }> {
  const limits = { output_bytes: DEFAULT_READ_BYTES, ...options.limits };
  const stream = streamGit(shadowDir, args, { ...options, limits });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { output: Buffer.concat(chunks), exit: stream.exit };
}

const DEFAULT_READ_BYTES = 64 * 1024 * 1024;
const DEFAULT_IDLE_MS = 60_000;
const GRACE_MS = 2_000;
const MOST_STDERR = 64 * 1024;

interface OutputOptions extends GitLimits {
  readonly shadowDir: string;
  readonly args: readonly string[];
  readonly okExits: readonly number[];
  readonly signal?: AbortSignal;
}

/** The output of a git process. */
export class GitOutput extends Readable {
  /** The process's status, once the stream has ended. */
  exit = -1;
  readonly #process: GitProcess;
  readonly #options: OutputOptions;
  readonly #abort = (): void => void this.destroy(abortError(this.#options));
  #bytes = 0;
  readonly #clock: SilenceClock;

  constructor(process: GitProcess, options: OutputOptions) {
    super({ highWaterMark: 256 * 1024 });
    this.#process = process;
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort, { once: true });
    process.child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    process.child.stdout.pause();
    const { shadowDir, idle_ms = DEFAULT_IDLE_MS } = options;
    this.#clock = new SilenceClock(shadowDir, { idle_ms, onGiveUp: (error) => this.destroy(error) });
    void this.#finish();
  }

  override _read(): void {
    this.#clock.start();
    this.#process.child.stdout.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#clock.stop();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#process.end();
    done(error);
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > (this.#options.output_bytes ?? Number.POSITIVE_INFINITY)) {
      this.destroy(tooMuchError(this.#options));
    } else if (this.push(chunk)) {
      this.#clock.refresh();
    } else {
      // Nobody is waiting: the reader's slowness is not git's.
      this.#clock.stop();
      this.#process.child.stdout.pause();
    }
  }

  async #finish(): Promise<void> {
    const end = await this.#process.closed;
    this.#clock.stop();
    if (end.exit !== null && this.#options.okExits.includes(end.exit)) {
      this.exit = end.exit;
      this.push(null);
    } else this.destroy(gitFailure({ args: this.#options.args, ...end }));
  }
}

/** Git may not need it: then it goes with the process. */
function giveSecret(child: ChildProcessWithoutNullStreams, secret: string): void {
  const pipe = child.stdio[3] as Writable | null | undefined;
  pipe?.on('error', () => pipe.destroy());
  pipe?.end(secret);
}

function endOf(child: ChildProcessWithoutNullStreams): GitProcess['closed'] {
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    if (stderr.length < MOST_STDERR) stderr += text;
  });
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ exit: null, signal: null, stderr: `fatal: git cannot be started: ${error.message}` }),
    );
    child.on('close', (exit, signal) => resolve({ exit, signal, stderr }));
  });
}

function endGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const group = -child.pid;
  signalGroup(group, 'SIGTERM');
  // Killed at once, git would leave its lock files behind.
  const kill = setTimeout(() => signalGroup(group, 'SIGKILL'), GRACE_MS);
  child.once('close', () => clearTimeout(kill));
  child.stdout.destroy();
  child.stdin.destroy();
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function abortError({ args }: OutputOptions): DevLoopError {
  return new DevLoopError('git_failed', `git ${args[0] ?? ''} was stopped because nobody waits for it any more`, {
    data: { aborted: true },
  });
}

function tooMuchError({ args, output_bytes }: OutputOptions): DevLoopError {
  return new DevLoopError('body_too_large', `git ${args[0] ?? ''} wrote more than ${output_bytes} bytes`, {
    data: { command: args[0] ?? '', limit: output_bytes },
  });
}
