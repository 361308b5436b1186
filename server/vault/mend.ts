import { isRepositoryLost } from './mirror/is-repository-lost.ts';
import { restoreRepository } from './mirror/restore-repository.ts';
import type { LockedVault } from './open-vault.ts';
import { redoLeft } from './redo-left.ts';
import { breakSeal, holdSeal, isSealed } from './seal/seal.ts';
import { settleRefs } from './settle-refs.ts';
import { followRefs } from './strayed/follow-refs.ts';

/**
 * Puts right what `needsMending` has seen. What agent calls that are running have changed is noted in their seal, for their judgement.
 * @returns the rest of what was done, in words. Throws vault_damaged where objects are lost that the mirror does not hold
 */
export async function mend(vault: LockedVault): Promise<readonly string[]> {
  if (isSealed(vault) === 'by this server') {
    await holdSeal(vault);
    return [];
  }
  const done = await restoreLost(vault);
  await settleRefs(vault);
  return [...done, ...(await followRefs(vault))];
}

/**
 * Puts back what agent calls changed in `.git` that were running when the server was killed, and makes a repository that is gone,
 * or has lost main's commit, anew from the mirror.
 * @returns as `mend`
 */
export async function restoreLost(vault: LockedVault): Promise<readonly string[]> {
  const done = (await breakSeal(vault)).map((name) => `put back what an agent had changed: ${name}`);
  const moved = await redoLeft(vault);
  if (!isRepositoryLost(vault)) return [...done, ...moved.map(finished)];
  await restoreRepository(vault);
  return [...done, RESTORED, ...[...moved, ...(await redoLeft(vault))].map(finished)];
}

const finished = (ref: string): string => `finished moving ${ref}`;

const RESTORED = 'made the repository anew from its mirror';
