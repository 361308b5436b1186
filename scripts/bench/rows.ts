/** One line of a bench: medians, and the median of the ratios pair by pair. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  /** The ratio must not be over it; absent where it is only shown. */
  readonly target?: number;
  /** Ours must not be over it. */
  readonly limit?: number;
}

/** A figure of its own with a limit, beside somebody else's where there is one. */
export function limitRow(
  name: string,
  { ours, theirs = Number.NaN, limit }: { readonly ours: number; readonly theirs?: number; readonly limit: number },
): Row {
  return { name, ours, theirs, ratio: ours / theirs, limit };
}

/** A figure without a limit. */
export function shownRow(name: string, { ours, theirs }: Pair): Row {
  return { name, ours, theirs, ratio: ours / theirs };
}

export const isMissed = ({ ours, ratio, target, limit }: Row): boolean =>
  (target !== undefined && ratio > target) || (limit !== undefined && ours > limit);

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
  const lines = rows.map((row) => [
    row.name,
    row.ours.toFixed(2),
    figure(row.theirs, 2),
    figure(row.ratio, 3),
    row.limit === undefined ? (row.target?.toFixed(2) ?? '') : `<= ${row.limit}`,
    row.target === undefined && row.limit === undefined ? '' : isMissed(row) ? 'missed' : 'met',
  ]);
  const table = [[title, 'ours', 'theirs', 'ratio', 'target', ''], ...lines];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((line) => line[i]?.length ?? 0))) ?? [];
  for (const line of table) {
    const cells = line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

const figure = (value: number, digits: number): string => (Number.isFinite(value) ? value.toFixed(digits) : '');

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
