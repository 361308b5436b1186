import { prepareProcess } from '../../server/cli/prepare-process.ts';
import { limitRow, median, type Pair, type Row, rowOf, shownRow, timed } from './rows.ts';
import { BenchWorkspace } from './workspace/bench-workspace.ts';
import { SIZES, type WorkspaceSize } from './workspace/generate-workspace.ts';
import { lstatRow } from './workspace/lstat-yardstick.ts';
import { OpenBench } from './workspace/open-bench.ts';
import { processRows } from './workspace/process-rows.ts';
import { type Targets, targetsOf } from './workspace/targets.ts';

/** `workspace` takes all sizes. */
export const benchWorkspace = async (): Promise<readonly Row[]> => [
  ...(await benchSize(SIZES.S)),
  ...(await benchSize(SIZES.M)),
  ...(await benchSize(SIZES.L)),
];

/** Points and restores of one size beside the pipeline, pair by pair. */
export async function benchSize(size: WorkspaceSize): Promise<readonly Row[]> {
  // As the server's own process begins.
  prepareProcess();
  const bench = new BenchWorkspace(size);
  try {
    const first = await firstPoints(bench, size);
    const rows = [...first, ...(await laterPoints(bench, size)), ...(await processRows(bench, size))];
    bench.makeRepository();
    return [...rows, ...(await firstPoints(bench, size, ' in a git repository'))];
  } finally {
    bench.remove();
  }
}

async function firstPoints(
  bench: BenchWorkspace,
  { name, rounds }: WorkspaceSize,
  where = '',
): Promise<readonly Row[]> {
  const [times, disk]: [Pair[], Pair[]] = [[], []];
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    bench.dropPoints();
    const benched: Benched = { bench, ways: [] };
    const theirs = await settled(benched, () => bench.point());
    const open = new OpenBench(bench);
    times.push({ ours: await settled(benched, () => open.point()), theirs });
    await open.close();
    disk.push({ ours: bench.megabytes(bench.stateDir), theirs: bench.megabytes(bench.shadow) });
  }
  const { first } = targetsOf(name, 'walk');
  return [rowOf(`${name} first point${where}, ms`, times, first), rowOf(`${name} disk${where}, MB`, disk, 0.25)];
}

interface Benched {
  readonly bench: BenchWorkspace;
  readonly ways: readonly Way[];
}

/** One way of finding out what changed. */
interface Way {
  readonly label: string;
  readonly open: OpenBench;
  readonly targets: Targets;
}

async function laterPoints(bench: BenchWorkspace, size: WorkspaceSize): Promise<readonly Row[]> {
  const { name } = size;
  const ways: readonly Way[] = [
    { label: name, open: new OpenBench(bench), targets: targetsOf(name, 'walk') },
    { label: `${name} watched:`, open: new OpenBench(bench, { watch: true }), targets: targetsOf(name, 'watched') },
  ];
  try {
    // The second look is the first that can be less than a full one.
    for (const { open } of ways) for (let i = 0; i < 2; i++) await open.point();
    return [
      ...(await unchanged({ bench, ways }, size)),
      lstatRow(bench.root, name),
      ...(await changed({ bench, ways }, { ...size, label: '10 files', count: 10 })),
      ...(await changed({ bench, ways }, { ...size, label: '1 %', count: Math.round(size.files / 100) })),
    ];
  } finally {
    for (const { open } of ways) await open.close();
  }
}

async function unchanged(benched: Benched, { rounds }: WorkspaceSize): Promise<readonly Row[]> {
  const { bench, ways } = benched;
  const scans = ways.map((): Pair[] => []);
  const records = ways.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const theirs = await settled(benched, () => bench.point());
    for (const [i, { open }] of ways.entries()) {
      const ours = await settled(benched, () => open.scan());
      scans[i]?.push({ ours, theirs });
      records[i]?.push((await settled(benched, () => open.point())) - ours);
    }
  }
  return ways.flatMap(({ label, targets }, i) => {
    const row = rowOf(`${label} no change, the scan`, scans[i] ?? [], targets.none);
    const limited = targets.none_ms === undefined ? row : limitRow(row.name, { ...row, limit: targets.none_ms });
    const record = shownRow(`${label} no change, the durable record`, {
      ours: median(records[i] ?? []),
      theirs: Number.NaN,
    });
    return [limited, record];
  });
}

interface Change extends WorkspaceSize {
  readonly label: '10 files' | '1 %';
  readonly count: number;
}

async function changed(benched: Benched, change: Change): Promise<readonly Row[]> {
  const rounds: RoundPairs[] = [];
  for (let round = -change.uncounted; round < change.rounds; round++) {
    const pairs = await changeRound(benched, { count: change.count, round: round + change.uncounted });
    if (round >= 0) rounds.push(pairs);
  }
  return benched.ways.flatMap(({ label, targets }, i) => {
    const { point, restore } = targets[change.label];
    const of = (kind: keyof RoundPairs): readonly Pair[] => rounds.flatMap((pairs) => pairs[kind][i] ?? []);
    return [
      rowOf(`${label} ${change.label}, point`, of('point'), point),
      rowOf(`${label} ${change.label}, preview`, of('preview'), targets.preview),
      rowOf(`${label} ${change.label}, restore`, of('restore'), restore),
      rowOf(`${label} ${change.label}, plan and restore together`, of('together'), targets.together),
    ];
  });
}

/** A pair for each way. */
interface RoundPairs {
  readonly point: readonly Pair[];
  readonly preview: readonly Pair[];
  /** The files are written back; what is to be written is known. */
  readonly restore: readonly Pair[];
  /** A preview, a point of the state before, and the files written back. */
  readonly together: readonly Pair[];
}

async function changeRound(
  benched: Benched,
  { count, round }: { readonly count: number; readonly round: number },
): Promise<RoundPairs> {
  const { bench, ways } = benched;
  // All begin with the same state kept, so that each has the same files to bring back.
  for (const { open } of ways) await open.point();
  bench.point();
  const befores = await Promise.all(ways.map(({ open }) => open.lastPoint()));
  const commit = bench.head();
  const each = async (work: (open: OpenBench, before: string) => Promise<number>): Promise<readonly number[]> => {
    const times: number[] = [];
    for (const [i, { open }] of ways.entries()) times.push(await work(open, befores[i] ?? ''));
    return times;
  };
  bench.change(count, round);
  const points = await each((open) => settled(benched, () => open.point()));
  const point = await settled(benched, () => bench.point());
  const previews = await each((open, before) => settled(benched, () => open.plan(before)));
  const preview = await settled(benched, () => bench.preview(commit));
  const safety = await settled(benched, () => bench.point());
  const back = await settled(benched, () => bench.restore(commit));
  const restores = await each(async (open, before) => {
    bench.change(count, round);
    await settle(benched);
    return open.timeToWrite(before);
  });
  const together = await each(async (open, before) => {
    // As the point before a turn has it.
    await open.scan();
    bench.change(count, round);
    return settled(benched, () => open.planAndRestore(before));
  });
  const beside = (times: readonly number[], theirs: number): readonly Pair[] => times.map((ours) => ({ ours, theirs }));
  return {
    point: beside(points, point),
    preview: beside(previews, preview),
    restore: beside(restores, back),
    together: beside(together, preview + safety + back),
  };
}

/** Each pays for its own writes only. */
async function settled(benched: Benched, work: () => unknown): Promise<number> {
  await settle(benched);
  return timed(work);
}

/** Waits for what others have written so far, also after they told that it was done. */
async function settle({ bench, ways }: Benched): Promise<void> {
  for (const { open } of ways) await open.settled();
  bench.settle();
}
