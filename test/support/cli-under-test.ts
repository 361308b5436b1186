import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCli } from '../../server/cli/run-cli.ts';
import { type HttpUnderTest, httpUnderTest, TOKEN } from './http-under-test.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** What --json gave out, where it was one object. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions that read them
  readonly json: any;
}

export interface RunOptions {
  /** Another folder of the call. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What a person types; absent: nobody is there. */
  readonly typed?: string;
  readonly signal?: AbortSignal;
  /** Is given what came on stdout so far. */
  readonly onOut?: (out: string) => void;
  readonly colours?: boolean;
}

export interface CliUnderTest {
  readonly http: HttpUnderTest;
  /** Folder of the call; `data` below it has the running server. */
  readonly cwd: string;
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The same with --json. */
  json(...argv: readonly string[]): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The command line beside a server over fakes, which it finds by server.json. */
export async function cliUnderTest(): Promise<CliUnderTest> {
  const http = await httpUnderTest({ limits: { batch_ms: 1 } });
  const cwd = mkdtempSync(join(tmpdir(), 'devloop-cli-'));
  mkdirSync(join(cwd, 'data', '.devloop'), { recursive: true });
  announce(cwd, http);
  const run = (argv: readonly string[], options: RunOptions = {}) => runIn(options.cwd ?? cwd, argv, options);
  return {
    http,
    cwd,
    run,
    json: (...argv) => run([...argv, '--json']),
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      rmSync(cwd, { recursive: true });
    },
  };
}

/** Writes the server's files into the data folder. */
export function announce(cwd: string, { url, port }: Pick<HttpUnderTest, 'url' | 'port'>): void {
  const folder = join(cwd, 'data', '.devloop');
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ url, port, pid: process.pid, version: '0.0.0' }));
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`, { mode: 0o600 });
}

async function runIn(cwd: string, argv: readonly string[], options: RunOptions): Promise<Ran> {
  const stdout = Object.assign(new PassThrough(), { isTTY: options.colours === true });
  const stderr = Object.assign(new PassThrough(), { isTTY: options.typed !== undefined });
  const stdin = Object.assign(new PassThrough(), { isTTY: options.typed !== undefined });
  let out = '';
  let err = '';
  stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    options.onOut?.(out);
  });
  stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    if (/\[y\/N\] $/.test(err)) stdin.write(`${options.typed}\n`);
  });
  const end = await runCli({
    argv,
    cwd,
    env: { HOME: cwd, PATH: process.env.PATH ?? '', ...options.env },
    // The streams of a process have more than a command uses.
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    signal: options.signal ?? new AbortController().signal,
    takeSignals: () => () => {},
    abandon: () => {
      throw new Error('the data folder was lost');
    },
  });
  return {
    status: typeof end === 'number' ? end : (end.exit_code ?? 128),
    out,
    err,
    get json() {
      return JSON.parse(out);
    },
  };
}
