import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const ROOT = join(import.meta.dirname, '..', '..');
export const CLI = join(ROOT, 'server', 'cli', 'main.ts');

/** Environment for child processes of tests: nothing of the developer's own settings. */
export function bareEnvironment(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    ...extra,
  };
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions that read them
  readonly body: any;
}

export interface RunningServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly child: ChildProcess;
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** kill -9, resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, resolves with the exit status. */
  stop(): Promise<number | null>;
}

/** Starts `devloop serve` on a data folder and resolves when it listens. */
export async function startServer(
  data: string,
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, 'serve', '--port', '0', '--data', data, '--json'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: bareEnvironment(home, extra),
    },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const first = await Promise.race([firstLine(child), exited.then(() => undefined)]);
  if (first === undefined) throw new Error(`the server ended before it listened: ${errors}`);
  const { url, pid, token_file } = JSON.parse(first) as { url: string; pid: number; token_file: string };
  const token = readFileSync(token_file, 'utf8').trim();
  return {
    url,
    token,
    pid,
    child,
    api: (method, path, body) => request(url + path, method, token, body),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return line;
}

async function request(url: string, method: string, token: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: json && text !== '' ? (JSON.parse(text) as unknown) : text };
}
