import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { commit } from '../../../server/vault/commit.ts';
import { init } from '../../../server/vault/init.ts';
import { inspect } from '../../../server/vault/inspect.ts';
import { maintain } from '../../../server/vault/maintain.ts';
import { mend } from '../../../server/vault/mend.ts';
import type { LockedVault } from '../../../server/vault/open-vault.ts';
import { revert } from '../../../server/vault/revert/revert.ts';
import { saveAttempt } from '../../../server/vault/save-attempt.ts';
import { tag } from '../../../server/vault/tag.ts';
import type { VaultSet } from '../../../server/vault/vault-set.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { rawGit } from '../../support/raw-git.ts';
import type { ActEnd, Scenario } from '../scenario.ts';
import {
  ATTEMPT,
  closeVaults,
  FIRST,
  placeIn,
  SECOND,
  setupByHand,
  setupCommitted,
  setupKept,
  setupKilled,
  setupLost,
  setupProject,
  setupTorn,
  spec,
  vaultsIn,
  writeFiles,
} from './vault-setups.ts';

type Act = (vault: LockedVault) => Promise<unknown>;

interface VaultScenario {
  readonly name: string;
  readonly setup?: (folder: string) => Promise<void>;
  readonly act: Act;
  /** The boot's own repair is what is hurt. */
  readonly unsettled?: true;
  /** The process is gone as soon as it has acknowledged the act. */
  readonly exits?: true;
  /** True where the repository shows that the act came to pass. */
  readonly done: (git: (...args: string[]) => string) => boolean;
}

const has = (git: (...args: string[]) => string, ref: string) => git('for-each-ref', ref) !== '';

async function prepareAct(folder: string, { act, unsettled, exits }: VaultScenario): Promise<() => Promise<void>> {
  const vaults = vaultsIn(folder);
  // Opened, not looked at: what is wrong with it is for the act to find.
  await vaults.exclusive(PROJECT, async () => {});
  return async () => {
    if (unsettled) await vaults.exclusive(PROJECT, act);
    else await vaults.write(PROJECT, act);
    if (!exits) await closeVaults(vaults);
  };
}

async function checkProject(folder: string, end: ActEnd, { act, done }: VaultScenario): Promise<void> {
  const { root, state } = placeIn(folder);
  const git = rawGit(root);
  const vaults = vaultsIn(folder);
  await boot(vaults, act);
  const came = done(git);
  if (end.kind === 'acknowledged') assert.ok(came, 'what was acknowledged is there');
  checkWhole(git);
  await vaults.write(PROJECT, act);
  assert.ok(done(git), 'the call repeated comes to pass');
  writeFiles(folder, 'third', 8);
  await vaults.write(PROJECT, (vault) => commit(vault, spec('third')));
  await vaults.settled();
  checkWhole(git);
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(
    new Set(git('log', '--format=%s').split('\n')).size,
    git('log', '--format=%s').split('\n').length,
    'nothing twice',
  );
  const left = readdirSync(join(root, '.git'), { recursive: true }).filter((name) => /\.lock$|tmp_/.test(String(name)));
  assert.deepEqual(left, [], 'no lock and no temporary file is left');
  await closeVaults(vaults);
  // A server that lost its memory reads the same from the disk.
  cpSync(state, `${state}.copy`, { recursive: true, verbatimSymlinks: true });
  const again = vaultsIn(folder);
  assert.deepEqual((await again.exclusive(PROJECT, inspect)).problems, []);
  await closeVaults(again);
}

/** A first commit that never came to pass leaves nothing to inspect: the call is repeated. */
async function boot(vaults: VaultSet, act: Act): Promise<void> {
  try {
    const { problems } = await vaults.exclusive(PROJECT, inspect);
    assert.deepEqual(problems, []);
  } catch (error) {
    if (!isDevLoopError(error, 'vault_damaged') || !act.toString().includes('init(')) throw error;
    await vaults.write(PROJECT, act);
  }
}

function checkWhole(git: (...args: string[]) => string): void {
  assert.equal(git('fsck', '--strict', '--full', '--no-dangling'), '');
}

const scenario = (about: VaultScenario): Scenario => ({
  name: about.name,
  setup: about.setup ?? setupProject,
  prepare: (folder) => prepareAct(folder, about),
  check: (folder, end) => checkProject(folder, end, about),
});

/** What the vault does to a repository. */
export const vaultScenarios: readonly Scenario[] = [
  scenario({
    name: 'vault-init',
    setup: async (folder) => writeFiles(folder, 'first', 8),
    act: (vault) => init(vault, FIRST),
    done: (git) => has(git, 'refs/heads/main'),
  }),
  scenario({
    name: 'vault-commit-packed',
    act: (vault) => commit(vault, SECOND),
    done: (git) => git('log', '-1', '--format=%s') === SECOND.subject && has(git, 'refs/tags/prd-rev-1'),
  }),
  scenario({
    name: 'vault-commit-noted',
    exits: true,
    act: (vault) => commit(vault, SECOND),
    done: (git) => git('log', '-1', '--format=%s') === SECOND.subject && has(git, 'refs/tags/prd-rev-1'),
  }),
  scenario({
    name: 'vault-redo',
    setup: setupTorn,
    unsettled: true,
    act: mend,
    done: (git) => git('log', '-1', '--format=%s') === SECOND.subject && has(git, 'refs/tags/prd-rev-1'),
  }),
  scenario({
    name: 'vault-commit-empty',
    // A commit without changes is one object, which has a file of its own.
    act: (vault) => commit(vault, spec('empty', { files: ['nothing'], onEmpty: 'allow' })),
    done: (git) => git('log', '-1', '--format=%s') === 'subject of empty',
  }),
  scenario({
    name: 'vault-save-attempt',
    act: (vault) => saveAttempt(vault, ATTEMPT),
    done: (git) => has(git, 'refs/devloop/attempts/u/1/1'),
  }),
  scenario({
    name: 'vault-tag',
    act: (vault) => tag(vault, { name: 'v1', ref: 'main' }),
    done: (git) => has(git, 'refs/tags/v1'),
  }),
  scenario({
    name: 'vault-revert',
    setup: setupCommitted,
    act: (vault) => revert(vault, SECOND.tag?.name ?? ''),
    done: (git) => git('log', '-1', '--format=%s') === `revert: ${SECOND.subject}`,
  }),
  scenario({
    name: 'vault-maintain',
    setup: setupCommitted,
    act: maintain,
    done: (git) => /^packs: 1$/m.test(git('count-objects', '-v')),
  }),
  scenario({
    name: 'vault-expire',
    setup: setupKept,
    act: (vault) => maintain(vault, { ended: new Date('2025-06-01T00:00:00Z') }),
    done: (git) => !has(git, 'refs/devloop'),
  }),
  scenario({
    name: 'vault-take-over',
    setup: setupByHand,
    unsettled: true,
    act: mend,
    done: (git) => git('log', '-1', '--format=%s') === 'by hand',
  }),
  scenario({
    name: 'vault-restore-lost',
    setup: setupLost,
    unsettled: true,
    act: mend,
    done: (git) => has(git, 'refs/tags/prd-rev-1'),
  }),
  scenario({
    name: 'vault-inspect',
    setup: setupKilled,
    unsettled: true,
    act: inspect,
    done: (git) => git('log', '-1', '--format=%s') === SECOND.subject,
  }),
];
