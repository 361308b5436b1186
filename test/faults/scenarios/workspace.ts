import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import { openWorkspaces, type Workspace, type Workspaces } from '../../../server/workspace/index.ts';
import { contentOf, diskSnapshot } from '../../support/disk-snapshot.ts';
import { gitBytes } from '../../support/git-bytes.ts';
import { rawGit } from '../../support/raw-git-latin1.ts';
import type { ActEnd, Scenario } from '../scenario.ts';

const rootOf = (folder: string): string => join(folder, 'user/mine');
const filesOf = (folder: string): Record<string, string> =>
  contentOf(diskSnapshot(rootOf(folder), (name) => name === '.git'));

/** Where a scenario keeps what the user's repositories were like at the start. */
const gitBefore = (folder: string): string => join(folder, 'git-before');

function workspacesIn(folder: string): Workspaces {
  return openWorkspaces({
    stateDir: join(folder, 'state'),
    home: join(folder, 'home'),
    maxTurns: 2,
    exclude: [],
    include: [],
    largeFileBytes: 50_000,
    now: () => new Date(),
  });
}

/** The folder of an injection is a copy at another path: its history is given to it. */
function attached(folder: string): Workspace {
  const workspaces = workspacesIn(folder);
  const [known] = workspaces.list();
  if (known === undefined) return workspaces.open(rootOf(folder));
  return known.root === rootOf(folder) ? workspaces.open(known.root) : workspaces.attach(known.id, rootOf(folder));
}

function put(folder: string, name: string, content: string): void {
  const path = join(rootOf(folder), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Two states with a file and a folder in each other's place, a link, a large file and an emptied folder between them; repositories of the user's at the root and below. */
async function setup(folder: string): Promise<void> {
  mkdirSync(rootOf(folder), { recursive: true });
  mkdirSync(join(folder, 'home'));
  put(folder, 'a/b', 'one');
  put(folder, 'swap/inner', 'one');
  put(folder, 'big', 'x'.repeat(60_000));
  put(folder, 'same', 'same');
  for (const at of [rootOf(folder), join(rootOf(folder), 'a')]) {
    rawGit(at, ['init', '-q']);
    rawGit(at, ['add', '.']);
    rawGit(at, ['commit', '-qm', 'x']);
  }
  writeFileSync(gitBefore(folder), gitBytes(rootOf(folder)));
  const workspace = attached(folder);
  await workspace.takePoint({ reason: 'first' });
  put(folder, 'a/b', 'two');
  rmSync(join(rootOf(folder), 'swap'), { recursive: true });
  put(folder, 'swap', 'two');
  put(folder, 'new/deep/f', 'two');
  put(folder, 'big', 'y'.repeat(60_000));
  symlinkSync('same', join(rootOf(folder), 'link'));
  await workspace.close();
}

const TWO = { 'a/b': 'file 644 two', swap: 'file 644 two', 'new/deep/f': 'file 644 two', link: 'link 0 same' };

interface WorkspaceScenario {
  readonly name: string;
  readonly setup?: (folder: string) => Promise<void>;
  /** Gathers what it needs and returns what is hurt. */
  readonly ready: (workspace: Workspace) => Promise<() => Promise<unknown>>;
  readonly check: (workspace: Workspace, at: { readonly folder: string; readonly end: ActEnd }) => Promise<void>;
}

const isSecond = (folder: string): boolean =>
  Object.entries(TWO).every(([path, entry]) => filesOf(folder)[path] === entry);
const isFirst = (folder: string): boolean => {
  const { a, 'a/b': file, swap, 'swap/inner': inner, same, big, ...rest } = filesOf(folder);
  return (
    file === 'file 644 one' &&
    inner === 'file 644 one' &&
    Object.keys(rest).length === 0 &&
    Boolean(a && swap && same && big)
  );
};

/** All of one state or all of the other, and what was acknowledged is so. */
function eitherState(folder: string, end: ActEnd, wanted: 'first' | 'second'): void {
  const is = { first: isFirst(folder), second: isSecond(folder) };
  assert.ok(is.first !== is.second, `neither state: ${JSON.stringify(filesOf(folder)).slice(0, 300)}`);
  if (end.kind === 'acknowledged') assert.ok(is[wanted], `not ${wanted}`);
}

/** What a power cut may leave of the last point: its note, and names without content. */
function cutAfterPoint(stores: string): void {
  const all = readdirSync(stores, { recursive: true, encoding: 'utf8' }).map((name) => join(stores, name));
  const note = all.find((path) => basename(path) === 'ahead.bin') ?? '';
  writeFileSync(note, Buffer.concat([Buffer.from('devloop1'), readFileSync(note).subarray(8)]));
  const files = all.filter((path) => /refs\/points\/.|\.pack$|\.idx$|points\.ndjson$/.test(path));
  const newest = (paths: readonly string[]): string =>
    paths.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? '';
  for (const end of [/refs\/points\/.*/, /\.pack$/, /\.idx$/, /points\.ndjson$/])
    truncateSync(newest(files.filter((path) => end.test(path))));
}

const CASES: readonly WorkspaceScenario[] = [
  {
    name: 'point',
    ready: async (workspace) => () => workspace.takePoint({ reason: 'second' }),
    check: async (workspace, { folder, end }) => {
      assert.ok(isSecond(folder));
      const points = await workspace.points();
      if (end.kind === 'acknowledged') assert.equal(points.length, 2);
      const second = points.find(({ reason }) => reason === 'second');
      if (second !== undefined) assert.deepEqual(await workspace.changes(second.id as never, 'now'), []);
    },
  },
  {
    name: 'redo-point',
    setup: async (folder) => {
      await setup(folder);
      const workspace = attached(folder);
      await workspace.takePoint({ reason: 'second' });
      await workspace.close();
      cutAfterPoint(join(folder, 'state/workspaces'));
    },
    ready: async (workspace) => () => workspace.points(),
    check: async (workspace) => {
      const points = await workspace.points();
      assert.deepEqual(
        points.map(({ reason }) => reason),
        ['second', 'first'],
      );
      assert.deepEqual(await workspace.changes(points[0]?.id as never, 'now'), []);
    },
  },
  {
    name: 'restore',
    ready: async (workspace) => {
      const [first] = await workspace.points();
      const plan = await workspace.planRestore({ point: first?.id ?? '' });
      return () => workspace.applyRestore(plan.id, plan.digest);
    },
    check: async (workspace, { folder, end }) => {
      eitherState(folder, end, 'first');
      if (!isFirst(folder)) return;
      await workspace.undoRestore();
      assert.ok(isSecond(folder), 'what was restored over can be brought back');
    },
  },
  {
    name: 'undo',
    setup: async (folder) => {
      await setup(folder);
      const workspace = attached(folder);
      const [first] = await workspace.points();
      const plan = await workspace.planRestore({ point: first?.id ?? '' });
      await workspace.applyRestore(plan.id, plan.digest);
      await workspace.close();
    },
    ready: async (workspace) => () => workspace.undoRestore(),
    check: async (_, { folder, end }) => eitherState(folder, end, 'second'),
  },
  {
    name: 'prune',
    setup: async (folder) => {
      await setup(folder);
      const workspace = attached(folder);
      for (let i = 0; i < 4; i++) {
        await workspace.beginTurn({});
        put(folder, 'big', String(i).repeat(60_000));
      }
      renameSync(join(rootOf(folder), 'big'), join(rootOf(folder), 'moved'));
      await workspace.close();
    },
    ready: async (workspace) => () => workspace.prune(),
    check: async (workspace, { end }) => {
      const turns = await workspace.turns();
      assert.ok(turns.length >= 2);
      if (end.kind === 'acknowledged') assert.equal(turns.length, 2);
    },
  },
  {
    name: 'purge',
    ready: async (workspace) => () => workspace.purge(bytePathFromText('big')),
    check: async (workspace, { end }) => {
      const [first] = await workspace.points();
      assert.ok(first);
      if (end.kind === 'acknowledged') assert.deepEqual(first.large, []);
      assert.equal(first.counts.files, first.purged === undefined ? 4 : 3);
    },
  },
];

/** After any fault: the lock is free, the store whole, no stage is left, and the next point works. */
async function settle(folder: string): Promise<Workspace> {
  const workspace = attached(folder);
  await workspace.endLostTurns();
  assert.deepEqual(
    Object.keys(filesOf(folder)).filter((path) => path.includes('.devloop-restore')),
    [],
    'no stage is left',
  );
  return workspace;
}

export const workspaceScenarios: readonly Scenario[] = CASES.map((one) => ({
  name: one.name,
  setup: one.setup ?? setup,
  prepare: async (folder) => one.ready(attached(folder)).then((act) => async () => void (await act())),
  check: async (folder, end) => {
    const before = readFileSync(gitBefore(folder), 'utf8');
    assert.equal(gitBytes(rootOf(folder)), before, 'the fault left the user’s repositories as they were');
    const workspace = await settle(folder);
    await one.check(workspace, { folder, end });
    assert.deepEqual((await workspace.verify()).problems, []);
    await workspace.takePoint({ reason: 'after' });
    await workspace.close();
    assert.equal(gitBytes(rootOf(folder)), before, 'what came after it did so too');
  },
}));
