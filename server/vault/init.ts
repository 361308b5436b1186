import type { CommitSpec } from '../domain/commit.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import { makeRepository } from '../git/new-repository.ts';
import { commitOn } from './commit.ts';
import type { LockedVault } from './open-vault.ts';

/**
 * Makes the repository and its first commit. Repeated with the same key it gives the same head; what a killed call has
 * left is gone on from. Throws `conflict` where there is a repository with other commits.
 */
export async function init(vault: LockedVault, first: CommitSpec): Promise<{ readonly head: Oid }> {
  const before = vault.refs.committed(first.key);
  if (before !== undefined) return { head: before.sha };
  if (vault.refs.get(MAIN) !== undefined) {
    throw new DevLoopError('conflict', `project ${vault.pid} has a repository already`, { data: { pid: vault.pid } });
  }
  makeRepository(vault.gitDir);
  const outcome = await commitOn(vault, { ...first, onEmpty: 'allow' }, {});
  if (outcome.kind === 'committed') return { head: outcome.sha };
  throw new DevLoopError('internal', 'a first commit was not made');
}
