import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import type { CommitSpec } from '../../../server/domain/commit.ts';
import { DevLoopError } from '../../../server/domain/errors.ts';
import type { RescueId } from '../../../server/domain/ids.ts';
import { DEVLOOP } from '../../../server/domain/roles.ts';
import { archiveToFile } from '../../../server/vault/archive/archive-file.ts';
import { takeBaseline } from '../../../server/vault/baseline.ts';
import { init } from '../../../server/vault/init.ts';
import { inspect } from '../../../server/vault/inspect.ts';
import type { LockedVault } from '../../../server/vault/open-vault.ts';
import { putBack } from '../../../server/vault/put-back.ts';
import { rescues } from '../../../server/vault/rescues.ts';
import { resetWorkingTree } from '../../../server/vault/reset-working-tree.ts';
import { restoreRescue } from '../../../server/vault/restore-rescue.ts';
import type { VaultSet } from '../../../server/vault/vault-set.ts';
import type { Restored } from '../../../server/vault/write-files.ts';
import { contentOf, diskSnapshot } from '../../support/disk-snapshot.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { rawGit } from '../../support/raw-git.ts';
import { readZip } from '../../support/read-zip.ts';
import type { ActEnd, Scenario } from '../scenario.ts';
import { closeVaults, placeIn, vaultsIn } from './vault-setups.ts';

const FIRST: CommitSpec = {
  kind: 'init',
  subject: 'first',
  author: DEVLOOP,
  trailers: [],
  files: ['**'],
  key: 'first',
  onEmpty: 'skip',
};
const reset = (vault: LockedVault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'reset' });

function put(folder: string, name: string, content: string): void {
  const path = join(placeIn(folder).root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Stands for an act that says what it had to leave. */
const LEFT = 'conflict';
const CLEAN = { 'a/b': 'one', 'swap/inner': 'one', same: 'same' };
const DIRTY = { 'a/b': 'two', swap: 'two', 'new/f': 'two', same: 'same' };

/** The contents of all files. */
function filesOf(folder: string): Record<string, string> {
  const files = [...diskSnapshot(placeIn(folder).root, (name) => name === '.git')].filter(
    ([, { kind }]) => kind === 'file',
  );
  return Object.fromEntries(files.map(([path, { content }]) => [path, content]));
}

async function setup(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(CLEAN)) put(folder, name, content);
  const vaults = vaultsIn(folder);
  await vaults.write(PROJECT, (vault) => init(vault, FIRST));
  await closeVaults(vaults);
  makeDirty(folder);
}

function makeDirty(folder: string): void {
  rmSync(join(placeIn(folder).root, 'swap'), { recursive: true });
  for (const [name, content] of Object.entries(DIRTY)) put(folder, name, content);
}

interface FilesScenario {
  readonly name: string;
  readonly setup: (folder: string) => Promise<void>;
  readonly ready?: (vault: LockedVault, folder: string) => Promise<void>;
  readonly act: (vault: LockedVault) => Promise<Restored>;
  readonly wanted: Record<string, string>;
}

const CASES: readonly FilesScenario[] = [
  { name: 'vault-reset', setup, act: reset, wanted: CLEAN },
  {
    name: 'vault-restore-rescue',
    setup: async (folder) => {
      await setup(folder);
      const vaults = vaultsIn(folder);
      await vaults.write(PROJECT, reset);
      await closeVaults(vaults);
    },
    act: async (vault) => restoreRescue(vault, (await rescues(vault))[0]?.id as RescueId),
    wanted: DIRTY,
  },
  {
    name: 'vault-put-back',
    setup: async (folder) => {
      await setup(folder);
      // The baseline is held by the process that acts: the agent's work is done after it was taken.
      rmSync(join(placeIn(folder).root, 'new'), { recursive: true });
      rmSync(join(placeIn(folder).root, 'swap'));
      for (const [name, content] of Object.entries(CLEAN)) put(folder, name, content);
    },
    ready: async (vault, folder) => {
      await takeBaseline(vault);
      makeDirty(folder);
    },
    act: (vault) => putBack(vault, ['a/b', 'swap', 'swap/inner', 'new/f'].map(bytePathFromText), 'stray'),
    wanted: CLEAN,
  },
];

async function check(folder: string, end: ActEnd, wanted: Record<string, string>): Promise<void> {
  const vaults = vaultsIn(folder);
  assert.deepEqual((await vaults.exclusive(PROJECT, inspect)).problems, []);
  const now = filesOf(folder);
  if (end.kind === 'refused' && end.code === LEFT) return checkLeft(folder, now, vaults);
  const is = (files: Record<string, string>): boolean => JSON.stringify(sorted(now)) === JSON.stringify(sorted(files));
  assert.ok(
    is(CLEAN) || is(DIRTY),
    `neither state: ${JSON.stringify(contentOf(diskSnapshot(placeIn(folder).root, (name) => name === '.git')))}`,
  );
  if (end.kind === 'acknowledged') assert.ok(is(wanted), 'what was acknowledged is so');
  if (is(CLEAN)) await holdsDirty(folder, vaults);
  const stage = readdirSync(placeIn(folder).root).filter((name) => name.startsWith('.devloop-restore'));
  assert.deepEqual(stage, [], 'no stage is left');
  assert.equal(rawGit(placeIn(folder).root)('fsck', '--strict', '--full', '--no-dangling'), '');
  await vaults.write(PROJECT, reset);
  assert.deepEqual(sorted(filesOf(folder)), sorted(CLEAN));
  await closeVaults(vaults);
}

/** What could not be kept stays, and is named; all else is as wanted. */
async function checkLeft(folder: string, now: Record<string, string>, vaults: VaultSet): Promise<void> {
  const known = [CLEAN, DIRTY].map((files): Record<string, string> => files);
  for (const [path, content] of Object.entries(now))
    assert.ok(
      known.some((files) => files[path] === content),
      `${path} is neither`,
    );
  if (now['new/f'] === undefined) await holdsDirty(folder, vaults);
  assert.equal(rawGit(placeIn(folder).root)('fsck', '--strict', '--full', '--no-dangling'), '');
  await closeVaults(vaults);
}

/** Whatever was overwritten is in a rescue. */
async function holdsDirty(folder: string, vaults: VaultSet): Promise<void> {
  const [rescue] = await vaults.read(PROJECT, rescues);
  assert.ok(rescue, 'nothing is overwritten without a rescue');
  assert.equal(rawGit(placeIn(folder).root)('show', `${rescue.sha}:new/f`), 'two');
}

const sorted = (files: Record<string, string>): [string, string][] => Object.entries(files).sort();

const archiveIn = (folder: string): string => join(folder, 'out.zip');

/** A file that somebody waits for: it is there whole, or not at all. */
const archiveScenario: Scenario = {
  name: 'vault-archive',
  setup,
  prepare: async (folder) => {
    const vaults = vaultsIn(folder);
    await vaults.read(PROJECT, () => undefined);
    return () =>
      vaults.read(PROJECT, (vault) => archiveToFile(vault, 'HEAD', { format: 'zip', path: archiveIn(folder) }));
  },
  check: async (folder, end) => {
    const there = existsSync(archiveIn(folder));
    assert.ok(there || end.kind !== 'acknowledged', 'what was acknowledged is there');
    if (there) {
      const files = readZip(readFileSync(archiveIn(folder))).map(({ name, content }) => [
        String(name),
        String(content),
      ]);
      assert.deepEqual(sorted(Object.fromEntries(files)), sorted(CLEAN));
    }
    assert.equal(rawGit(placeIn(folder).root)('fsck', '--strict', '--full', '--no-dangling'), '');
  },
};

const filesScenarios: readonly Scenario[] = CASES.map(({ name, setup, ready, act, wanted }) => ({
  name,
  setup,
  prepare: async (folder) => {
    const vaults = vaultsIn(folder);
    await vaults.write(PROJECT, async (vault) => ready?.(vault, folder));
    return async () => {
      const { left } = await vaults.write(PROJECT, act);
      await closeVaults(vaults);
      if (left.length > 0) throw new DevLoopError(LEFT, String(left.map(({ path }) => path)));
    };
  },
  check: (folder, end) => check(folder, end, wanted),
}));

/** What the vault does to a project's files, and makes of them. */
export const vaultFilesScenarios: readonly Scenario[] = [...filesScenarios, archiveScenario];
