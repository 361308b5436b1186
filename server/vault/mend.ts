import { isDevLoopError } from '../domain/errors.ts';
import { MAIN } from '../domain/ref-names.ts';
import { readRef } from '../git/refs.ts';
import { IoError } from '../io/io-error.ts';
import { isRepositoryLost } from './mirror/is-repository-lost.ts';
import { restoreRepository } from './mirror/restore-repository.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';
import { breakSeal, holdSeal, isSealed } from './seal/seal.ts';
import { settleRefs } from './settle-refs.ts';
import { followRefs } from './strayed/follow-refs.ts';
import { strayedRefs } from './strayed/strayed-refs.ts';

/**
 * True where a repository must be put right before anybody works on it: it is gone, main is not where the server put it, or
 * a killed server has left it in the hands of an agent.
 */
export function needsMending(vault: OpenVault): boolean {
  return isSealed(vault) === 'by another server' || isRepositoryLost(vault) || hasMainMoved(vault);
}

/**
 * Puts that right. What agent calls that are running have changed is noted in their seal, for their judgement.
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
  if (!isRepositoryLost(vault)) return done;
  await restoreRepository(vault);
  return [...done, RESTORED];
}

const RESTORED = 'made the repository anew from its mirror';

/** The same with a look at every ref. */
export function needsMendingAnywhere(vault: OpenVault): boolean {
  return needsMending(vault) || isSo(() => strayedRefs(vault).length > 0);
}

function hasMainMoved({ gitDir, refs }: OpenVault): boolean {
  const head = refs.get(MAIN);
  if (head === undefined || refs.pending !== undefined) return false;
  return isSo(() => readRef(gitDir, MAIN) !== head);
}

/** A ref that cannot be read is met again, and told, by whoever needs it. */
function isSo(look: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged') || error instanceof IoError) return false;
    throw error;
  }
}
