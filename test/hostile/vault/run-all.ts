import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TRAPS } from './all-traps.ts';
import type { TrapReport } from './run-trap.ts';

export interface Line {
  readonly number: number;
  readonly scene: string;
  readonly report: TrapReport;
}

export interface RunOptions {
  readonly onLine?: (line: Line) => void;
  /** Program of a process that runs traps; a line of its output says what came of one: `Ran`. */
  readonly worker?: string;
  /** A trap that keeps a process from giving any sign for so long has caught it; ms. */
  readonly silence_ms?: number;
}

/** What came of a trap in each scene that it has. */
export interface Ran {
  readonly number: number;
  readonly reports: readonly Omit<Line, 'number'>[];
}

/** Runs traps by their numbers in a process of their own; one that is caught is ended, and the rest go on in another. */
export async function runTraps(numbers: readonly number[], options: RunOptions = {}): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const take = (line: Line): void => {
    lines.push(line);
    options.onLine?.(line);
  };
  let left = numbers;
  while (left.length > 0) {
    const { done, failure } = await runOnce(left, take, options);
    const stuck = left.find((number) => !done.has(number));
    if (stuck !== undefined) take(caught(stuck, failure));
    left = left.filter((number) => !done.has(number) && number !== stuck);
  }
  return lines;
}

/** In words: what was run, and each fault. */
export function summary(lines: readonly Line[]): string {
  const sum = (of: (report: TrapReport) => number): number =>
    lines.reduce((total, { report }) => total + of(report), 0);
  const named = new Map<string, number>();
  for (const { report } of lines)
    for (const [code, count] of Object.entries(report.named)) named.set(code, (named.get(code) ?? 0) + count);
  const faults = lines.flatMap(({ scene, report }) =>
    report.faults.map((fault) => `  ${report.trap} (${scene}): ${fault}`),
  );
  const codes = [...named]
    .sort((a, b) => b[1] - a[1])
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
  return [
    `${new Set(lines.map(({ number }) => number)).size} traps, ${lines.length} runs, ${sum(({ right }) => right)} calls right, ${sum(({ named: codes }) => Object.values(codes).reduce((a, b) => a + b, 0))} named errors (${codes}), ${faults.length} faults`,
    ...faults,
  ].join('\n');
}

/** Ends whatever becomes of the process, and of what it has started: nobody waits for a trap for ever. */
async function runOnce(
  numbers: readonly number[],
  take: (line: Line) => void,
  { worker = WORKER, silence_ms = SILENCE_MS }: RunOptions,
): Promise<{ readonly done: ReadonlySet<number>; readonly failure: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devloop-traps-')));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', worker, ...numbers.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  });
  const done = new Set<number>();
  let failure = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    failure = `${failure}${text}`.slice(-1000);
  });
  const clock = setTimeout(() => child.kill('SIGKILL'), silence_ms);
  createInterface({ input: child.stdout }).on('line', (text) => {
    clock.refresh();
    const ran = parsed(text);
    for (const { scene, report } of ran?.reports ?? []) take({ number: ran?.number ?? -1, scene, report });
    if (ran !== undefined) done.add(ran.number);
  });
  try {
    const end = await endOf(child);
    return { done, failure: `ended with ${end}: ${failure}` };
  } finally {
    clearTimeout(clock);
    endProcessesIn(folder);
    execFileSync('rm', ['-rf', folder]);
  }
}

const WORKER = join(import.meta.dirname, 'worker.ts');
const SILENCE_MS = 900_000;
/** What a process has left running may have its output open for as long as it likes. */
const DRAIN_MS = 2_000;

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS).unref();
    });
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
  });
}

/** Undefined for the torn last line of a process that was killed. */
function parsed(text: string): Ran | undefined {
  try {
    return JSON.parse(text) as Ran;
  } catch {
    return undefined;
  }
}

/** Gits of a killed process that wait for a pipe would do so until the machine is switched off. */
function endProcessesIn(folder: string): void {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readlinkSync(`/proc/${name}/cwd`).startsWith(folder)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It is gone, or somebody else's.
    }
  }
}

function caught(number: number, failure: string): Line {
  const report = {
    trap: TRAPS[number]?.name ?? '',
    right: 0,
    named: {},
    faults: [`it caught the whole process, which ${failure}`],
    ms: SILENCE_MS,
  };
  return { number, scene: 'whole process', report };
}
