/** One line of a bench: medians, and the median of the ratios pair by pair. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  /** The ratio must not be over it; absent where it is only shown. */
  readonly target?: number;
}

export interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

export function rowOf(name: string, pairs: readonly Pair[], target?: number): Row {
  return {
    name,
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    ratio: median(pairs.map(({ ours, theirs }) => ours / theirs)),
    ...(target !== undefined && { target }),
  };
}

export function printRows(title: string, rows: readonly Row[]): void {
  const lines = rows.map(({ name, ours, theirs, ratio, target }) => [
    name,
    ours.toFixed(2),
    theirs.toFixed(2),
    ratio.toFixed(3),
    target === undefined ? '' : target.toFixed(2),
    target === undefined ? '' : ratio <= target ? 'met' : 'missed',
  ]);
  const table = [[title, 'ours ms', 'theirs ms', 'ratio', 'target', ''], ...lines];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((line) => line[i]?.length ?? 0))) ?? [];
  for (const line of table) {
    const cells = line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
