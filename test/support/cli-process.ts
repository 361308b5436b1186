import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bareEnvironment, CLI } from './running-server.ts';

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions that read them
  readonly json: any;
}

export interface CliProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stderr has this text. */
  said(text: string): Promise<void>;
}

export interface Home {
  /** Folder of the call, and HOME. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `devloop` as a process of its own. */
export function startCli(argv: readonly string[], { cwd, env = {} }: Home): CliProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...argv], {
    cwd,
    env: bareEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    wake();
  });
  const ended = once(child, 'close').then(([status]): Ended => {
    return {
      status: status as number | null,
      out,
      err,
      get json() {
        return JSON.parse(out);
      },
    };
  });
  return {
    child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (err.includes(text) && waiting.delete(look)) resolve();
        };
        waiting.add(look);
        look();
        child.once('close', () => reject(new Error(`ended before it said ${text}: ${err}`)));
      }),
  };
}

/** Runs `devloop` to its end. */
export function runCliProcess(argv: readonly string[], home: Home): Promise<Ended> {
  return startCli(argv, home).ended;
}
