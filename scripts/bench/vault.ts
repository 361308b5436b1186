import type { CommitSpec } from '../../server/domain/commit.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { commit } from '../../server/vault/commit.ts';
import { status } from '../../server/vault/status.ts';
import { BenchFolder } from './bench-folder.ts';
import { type Pair, type Row, rowOf, timed } from './rows.ts';

const CHANGED = 10;
const ROUNDS = 21;
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

async function commits(folder: BenchFolder): Promise<readonly Row[]> {
  const project = await folder.project('commit', 2000);
  const plain = folder.repository('plain', 2000);
  const synced = folder.repository('synced', 2000);
  const pairs: { readonly plain: Pair; readonly synced: Pair }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const root of [project.root, plain, synced]) folder.change(root, { files: 2000, count: CHANGED, round });
    const ours = await timed(() => commitRound(folder, project.pid, round));
    const theirs = await timed(() => gitCommit(folder, plain));
    const whole = await timed(() => gitCommit(folder, synced, '-c', 'core.fsync=all'));
    if (round > 0) pairs.push({ plain: { ours, theirs }, synced: { ours, theirs: whole } });
  }
  const name = `durable commit, ${CHANGED} of 2000 files`;
  return [
    rowOf(
      `${name}, git add && commit`,
      pairs.map(({ plain: pair }) => pair),
      0.25,
    ),
    rowOf(
      `${name}, with core.fsync=all`,
      pairs.map(({ synced: pair }) => pair),
      0.15,
    ),
  ];
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
      const ours = await timed(() => commitRound(folder, project.pid, round));
      const theirs = await timed(() => gitCommit(folder, plain));
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

async function commitRound(folder: BenchFolder, pid: ProjectId, round: number): Promise<void> {
  const spec: CommitSpec = {
    kind: 'code',
    subject: `round ${round}`,
    author: DEVLOOP,
    trailers: [],
    files: ['**'],
    key: `${pid}-${round}`,
    onEmpty: 'throw',
  };
  await folder.vaults.write(pid, (vault) => commit(vault, spec));
}

function gitCommit(folder: BenchFolder, root: string, ...options: readonly string[]): void {
  folder.git(root, ...options, 'add', '-A');
  folder.git(root, ...options, 'commit', '-q', '-m', 'round');
}

async function mustBeClean(folder: BenchFolder, pid: ProjectId): Promise<void> {
  const { dirty, files } = await folder.vaults.read(pid, status);
  if (dirty) throw new Error(`project ${pid} should be clean: ${JSON.stringify(files.slice(0, 3))}`);
}
