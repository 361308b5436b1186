import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAppendLog } from '../../../server/io/append-log.ts';
import { commit } from '../../../server/vault/commit.ts';
import { inspect } from '../../../server/vault/inspect.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { type RawGit, rawGit } from '../../support/raw-git.ts';
import type { Acknowledged } from './acknowledged.ts';
import { logIn, placeIn, vaultsIn } from './power-place.ts';

/** Starts on what a cut has left, as a server does: everything that was acknowledged is there, all is whole, and the next commit works. */
export async function checkVault(folder: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  if (acknowledged.length === 0) return;
  const { root } = placeIn(folder);
  const git = rawGit(root);
  const vaults = vaultsIn(folder);
  try {
    assert.deepEqual((await vaults.exclusive(PROJECT, inspect)).problems, []);
    checkGit(folder, acknowledged);
    checkLog(folder, acknowledged);
    writeFileSync(join(root, 'next'), 'next\n');
    await vaults.write(PROJECT, (vault) => commit(vault, commitSpec({ subject: 'next', key: 'after the cut' })));
    await vaults.settled();
    assert.equal(git('log', '-1', '--format=%s'), 'next');
    assert.equal(git('status', '--porcelain'), '');
    const left = readdirSync(join(root, '.git'), { recursive: true }).filter((name) =>
      /\.lock$|tmp_/.test(String(name)),
    );
    assert.deepEqual(left, [], 'no lock and no temporary file is left');
  } finally {
    vaults.close();
  }
}

/** The same of a repository that is git's own. */
export function checkGit(folder: string, acknowledged: readonly Acknowledged[]): void {
  const git = rawGit(placeIn(folder).root);
  assert.equal(git('fsck', '--strict', '--full', '--no-dangling'), '');
  const history = new Set(git('rev-list', 'refs/heads/main').split('\n'));
  for (const one of acknowledged) checkRef(git, history, one);
}

function checkRef(git: RawGit, history: ReadonlySet<string>, one: Acknowledged): void {
  if (one.kind === 'commit') {
    assert.ok(history.has(one.oid), `the commit ${one.oid} is lost`);
    if (one.tag !== undefined) assert.equal(git('rev-parse', `refs/tags/${one.tag}^{}`), one.oid);
  }
  if (one.kind === 'ref') assert.equal(git('rev-parse', `${one.ref}^{}`), one.oid);
  if (one.kind === 'rescue') git('rev-parse', '--verify', '-q', `refs/devloop/rescue/${one.id}`);
}

function checkLog(folder: string, acknowledged: readonly Acknowledged[]): void {
  const wanted = Math.max(0, ...acknowledged.map((one) => (one.kind === 'lines' ? one.count : 0)));
  const numbers: unknown[] = [];
  openAppendLog(logIn(folder), { onEntry: ({ record }) => numbers.push(record?.n) });
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, i) => i + 1),
  );
  assert.ok(numbers.length >= wanted, `${numbers.length} of ${wanted} lines are left`);
}
