import type { CommitSpec } from '../../server/domain/commit.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import type { WriteScope } from '../../server/domain/write-scope.ts';
import { commit } from '../../server/vault/commit.ts';
import { status } from '../../server/vault/status.ts';
import { BenchFolder } from './bench-folder.ts';
import { type Pair, type Row, rowOf, timed } from './rows.ts';

const CHANGED = 10;
const FILES = 2000;
const UNIT_SCOPE = ['units/u1/**', 'timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson'];
const IN_A_ROW = 10;
const ROUNDS = 81;
/** A server has made some commits before: what it runs is compiled by then. */
const UNCOUNTED = 41;
const PROJECTS = 1000;
const GROWTH = [1_000, 10_000, 100_000] as const;

/** Commits and dirty scans beside git's own, on copies of the same files, changed in the same way, turn by turn. */
export async function benchVault(): Promise<readonly Row[]> {
  const folder = new BenchFolder();
  try {
    return [...(await commits(folder)), ...(await scans(folder)), ...(await growth(folder))];
  } finally {
    await folder.remove();
  }
}

/** As the loop commits a unit, and the whole folder at once as a recovered crash does. */
async function commits(folder: BenchFolder): Promise<readonly Row[]> {
  const unit = await commitPairs(folder, 'unit', { within: 'u1', scope: UNIT_SCOPE });
  const whole = await commitPairs(folder, 'whole', { scope: ['**'] });
  const name = `durable commit, ${CHANGED} changed files of ${FILES}`;
  return [
    rowOf(`${name}, a unit's scope; git add -A && commit`, unit.plain, 0.25),
    rowOf(`${name}, a unit's scope; with core.fsync=all`, unit.synced, 0.15),
    rowOf(`${name}, no scope; git add -A && commit`, whole.plain),
    rowOf(`${name}, no scope; with core.fsync=all`, whole.synced),
    rowOf(`${IN_A_ROW} such commits in a row, a unit's scope; with core.fsync=all`, await rows(folder)),
  ];
}

/** Each waits for what the one before it left to the disk. */
async function rows(folder: BenchFolder): Promise<readonly Pair[]> {
  const project = await folder.project('row', FILES);
  const git = folder.repository('row-synced', FILES);
  const pairs: Pair[] = [];
  for (let row = 0; row < 5; row++) {
    const each = async (root: string, work: (round: number) => unknown): Promise<void> => {
      for (let i = 0; i < IN_A_ROW; i++) {
        const round = row * IN_A_ROW + i;
        folder.change(root, { files: FILES, count: CHANGED, round, within: 'u1' });
        await work(round);
      }
      await folder.vaults.settled();
    };
    const scope = UNIT_SCOPE;
    const ours = await settled(folder, () =>
      each(project.root, (round) => commitRound(folder, project.pid, { round, scope })),
    );
    const theirs = await settled(folder, () => each(git, () => gitCommit(folder, git, '-c', 'core.fsync=all')));
    if (row > 0) pairs.push({ ours, theirs });
  }
  return pairs;
}

async function commitPairs(
  folder: BenchFolder,
  name: string,
  { within, scope }: { readonly within?: string; readonly scope: WriteScope },
): Promise<{ readonly plain: readonly Pair[]; readonly synced: readonly Pair[] }> {
  const project = await folder.project(name, FILES);
  const [plainGit, syncedGit] = [folder.repository(`${name}-plain`, FILES), folder.repository(`${name}-synced`, FILES)];
  const [plain, synced]: [Pair[], Pair[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const change = { files: FILES, count: CHANGED, round, ...(within && { within }) };
    for (const root of [project.root, plainGit, syncedGit]) folder.change(root, change);
    const ours = await settled(folder, () => commitRound(folder, project.pid, { round, scope }));
    const theirs = await settled(folder, () => gitCommit(folder, plainGit));
    const all = await settled(folder, () => gitCommit(folder, syncedGit, '-c', 'core.fsync=all'));
    if (round < UNCOUNTED) continue;
    plain.push({ ours, theirs });
    synced.push({ ours, theirs: all });
  }
  return { plain, synced };
}

async function scans(folder: BenchFolder): Promise<readonly Row[]> {
  const projects: { readonly pid: ProjectId; readonly root: string }[] = [];
  for (let i = 0; i < PROJECTS; i++) projects.push(await folder.project(`scan-${i}`, 20));
  const pairs: Pair[] = [];
  for (let round = 0; round < 3; round++) {
    folder.restart();
    const ours = await timed(async () => {
      for (const { pid } of projects) await mustBeClean(folder, pid);
    });
    const theirs = await timed(() => {
      for (const { root } of projects) folder.git(root, 'status', '--porcelain');
    });
    pairs.push({ ours, theirs });
  }
  return [rowOf(`dirty scan of ${PROJECTS} clean projects at boot, git status each`, pairs, 0.05)];
}

/** How commit and scan grow with the number of files. */
async function growth(folder: BenchFolder): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const files of GROWTH) {
    const project = await folder.project(`growth-${files}`, files);
    const plain = folder.repository(`plain-${files}`, files);
    const [commits, scans]: [Pair[], Pair[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      for (const root of [project.root, plain]) folder.change(root, { files, count: CHANGED, round });
      const ours = await settled(folder, () => commitRound(folder, project.pid, { round, scope: ['**'] }));
      const theirs = await settled(folder, () => gitCommit(folder, plain));
      if (round > 0) commits.push({ ours, theirs });
      const scan = await timed(() => mustBeClean(folder, project.pid));
      scans.push({ ours: scan, theirs: await timed(() => folder.git(plain, 'status', '--porcelain')) });
    }
    rows.push(
      rowOf(`growth: commit, ${CHANGED} of ${files} files`, commits),
      rowOf(`growth: status, ${files} files`, scans),
    );
  }
  return rows;
}

async function commitRound(
  folder: BenchFolder,
  pid: ProjectId,
  { round, scope }: { readonly round: number; readonly scope: WriteScope },
): Promise<void> {
  const spec: CommitSpec = {
    kind: 'code',
    subject: `round ${round}`,
    author: DEVLOOP,
    trailers: [],
    files: scope,
    key: `${pid}-${round}`,
    onEmpty: 'throw',
  };
  await folder.vaults.write(pid, (vault) => commit(vault, spec));
}

/** Each pays for its own writes only, and starts when what is written after an answer is on the disk as well. */
async function settled(folder: BenchFolder, work: () => unknown): Promise<number> {
  await folder.vaults.settled();
  folder.settle();
  return timed(work);
}

function gitCommit(folder: BenchFolder, root: string, ...options: readonly string[]): void {
  folder.git(root, ...options, 'add', '-A');
  folder.git(root, ...options, 'commit', '-q', '-m', 'round');
}

async function mustBeClean(folder: BenchFolder, pid: ProjectId): Promise<void> {
  const { dirty, files } = await folder.vaults.read(pid, status);
  if (dirty) throw new Error(`project ${pid} should be clean: ${JSON.stringify(files.slice(0, 3))}`);
}
