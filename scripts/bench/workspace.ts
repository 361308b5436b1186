import { median, type Pair, type Row, rowOf, shownRow, timed } from './rows.ts';
import { BenchWorkspace } from './workspace/bench-workspace.ts';
import { SIZES, type WorkspaceSize } from './workspace/generate-workspace.ts';
import { OpenBench } from './workspace/open-bench.ts';

/** `workspace` takes all sizes. */
export const benchWorkspace = async (): Promise<readonly Row[]> => [
  ...(await benchSize(SIZES.S)),
  ...(await benchSize(SIZES.M)),
  ...(await benchSize(SIZES.L)),
];

/** Points and restores of one size beside the pipeline, pair by pair. */
export async function benchSize(size: WorkspaceSize): Promise<readonly Row[]> {
  const bench = new BenchWorkspace(size);
  try {
    const first = await firstPoints(bench, size);
    return [...first, ...(await unchanged(bench, size)), ...(await changed(bench, size))];
  } finally {
    bench.remove();
  }
}

async function firstPoints(bench: BenchWorkspace, { name, rounds, targets }: WorkspaceSize): Promise<readonly Row[]> {
  const [times, disk]: [Pair[], Pair[]] = [[], []];
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    bench.dropPoints();
    const theirs = await timed(() => bench.point());
    const open = new OpenBench(bench, false);
    times.push({ ours: await timed(() => open.point()), theirs });
    await open.close();
    disk.push({ ours: bench.megabytes(bench.stateDir), theirs: bench.megabytes(bench.shadow) });
  }
  return [rowOf(`${name} first point, ms`, times, targets.first), rowOf(`${name} disk, MB`, disk, 0.25)];
}

async function unchanged(bench: BenchWorkspace, { name, rounds, targets }: WorkspaceSize): Promise<readonly Row[]> {
  const open = new OpenBench(bench, false);
  try {
    const scans: Pair[] = [];
    const records: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await timed(() => open.scan());
      records.push((await timed(() => open.point())) - ours);
      scans.push({ ours, theirs: await timed(() => bench.point()) });
    }
    return [
      rowOf(`${name} no change, the scan`, scans, targets.none),
      shownRow(`${name} no change, the durable record`, { ours: median(records), theirs: Number.NaN }),
    ];
  } finally {
    await open.close();
  }
}

async function changed(bench: BenchWorkspace, size: WorkspaceSize): Promise<readonly Row[]> {
  const { name, files, targets } = size;
  const open = new OpenBench(bench, false);
  try {
    const rows: Row[] = [];
    for (const [label, count, target] of [
      ['10 files', 10, targets.ten],
      ['1 %', Math.round(files / 100), targets.percent],
    ] as const) {
      const pairs = await changeRounds(bench, open, { count, rounds: size.rounds });
      rows.push(
        rowOf(`${name} ${label}, point`, pairs.point, target.point),
        rowOf(`${name} ${label}, preview`, pairs.preview, targets.preview),
        rowOf(`${name} ${label}, restore`, pairs.restore, target.restore),
        rowOf(`${name} ${label}, plan and restore together`, pairs.together, targets.together),
      );
    }
    return rows;
  } finally {
    await open.close();
  }
}

interface RoundPairs {
  readonly point: Pair[];
  readonly preview: Pair[];
  /** The files are written back; what is to be written is known. */
  readonly restore: Pair[];
  /** A preview, a point of the state before, and the files written back. */
  readonly together: Pair[];
}

async function changeRounds(
  bench: BenchWorkspace,
  open: OpenBench,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<RoundPairs> {
  const pairs: RoundPairs = { point: [], preview: [], restore: [], together: [] };
  for (let round = 0; round < rounds; round++) {
    const before = await open.lastPoint();
    const commit = bench.head();
    bench.change(count, round);
    pairs.point.push({ ours: await timed(() => open.point()), theirs: await timed(() => bench.point()) });
    const ours = await timed(() => open.plan(before));
    const theirs = await timed(() => bench.preview(commit));
    pairs.preview.push({ ours, theirs });
    const safety = await timed(() => bench.point());
    const back = await timed(() => bench.restore(commit));
    bench.change(count, round);
    pairs.restore.push({ ours: await open.timeToWrite(before), theirs: back });
    bench.change(count, round);
    const together = await timed(() => open.planAndRestore(before));
    pairs.together.push({ ours: together, theirs: theirs + safety + back });
  }
  return pairs;
}
