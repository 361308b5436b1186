import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TRAPS } from './all-traps.ts';
import type { TrapReport } from './run-trap.ts';

export interface Line {
  readonly number: number;
  readonly scene: string;
  readonly report: TrapReport;
}

/** A trap that keeps a process from giving any sign for so long has caught it; ms. */
const SILENCE_MS = 240_000;

/** Runs traps by their numbers in a process of their own; one that is caught is ended, and the rest go on in another. */
export async function runTraps(
  numbers: readonly number[],
  onLine: (line: Line) => void = () => {},
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let left = numbers;
  while (left.length > 0) {
    const { done, failure } = await runOnce(left, (line) => {
      lines.push(line);
      onLine(line);
    });
    const stuck = left.find((number) => !done.has(number));
    if (stuck !== undefined) lines.push(caught(stuck, failure));
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

function runOnce(
  numbers: readonly number[],
  take: (line: Line) => void,
): Promise<{ readonly done: ReadonlySet<number>; readonly failure: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'worker.ts'), ...numbers.map(String)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const done = new Set<number>();
  let [failure, pending] = ['', -1];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    failure = `${failure}${text}`.slice(-1000);
  });
  const clock = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
  createInterface({ input: child.stdout }).on('line', (text) => {
    clock.refresh();
    const line = JSON.parse(text) as Line;
    take(line);
    if (pending !== line.number) pending = line.number;
    done.add(line.number);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(clock);
      resolve({ done, failure: `ended with ${code ?? signal}: ${failure}` });
    });
  });
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
