import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** A server in a process of its own. */
export interface SecondProcess {
  readonly port: number;
  readonly token: string;
  /** Gives an order and resolves with the answer. */
  order<Answer>(what: object): Promise<Answer>;
  /** Bytes that it and what it has started hold now. */
  memory(): number;
  stop(): Promise<void>;
  /** Ends it without its knowledge. */
  kill(): Promise<void>;
}

export async function startSecondProcess(kind: 'whole' | 'bare', data = ''): Promise<SecondProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'server.ts'), kind, data],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout });
  const { port, token } = JSON.parse(await nextLine(lines)) as { port: number; token: string };
  const goneAfter = async (end: () => void) => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    end();
    await gone;
  };
  return {
    port,
    token,
    order: async (what) => {
      child.stdin.write(`${JSON.stringify(what)}\n`);
      return JSON.parse(await nextLine(lines));
    },
    memory: () => memoryOf(child),
    stop: () => goneAfter(() => child.stdin.end()),
    kill: () => goneAfter(() => child.kill('SIGKILL')),
  };
}

const nextLine = (lines: Interface): Promise<string> => new Promise((resolve) => lines.once('line', resolve));

function memoryOf({ pid = 0 }: ChildProcess): number {
  const group = [pid, ...childrenOf(pid)];
  return group.reduce((sum, one) => sum + residentBytes(one), 0);
}

function childrenOf(pid: number): readonly number[] {
  const direct = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid);
  return direct.flatMap((one) => [one, ...childrenOf(one)]);
}

const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? -1);
const residentBytes = (pid: number): number => Number(/^RssAnon:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) * 1024;

/** Empty where it has gone meanwhile. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
