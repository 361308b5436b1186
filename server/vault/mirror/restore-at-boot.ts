import type { LockedVault } from '../open-vault.ts';
import { breakSeal } from '../seal/seal.ts';
import { tidyGitDir } from '../tidy-git-dir.ts';
import { isRepositoryLost } from './is-repository-lost.ts';
import { restoreRepository } from './restore-repository.ts';

/**
 * Puts back what agent calls changed in `.git` that were running when the server was killed, and makes a repository that is
 * gone, or has lost main's commit, anew from the mirror. Then what killed processes left is removed.
 * @returns what was done, in words. Throws vault_damaged where the mirror does not hold what the record names.
 */
export async function restoreAtBoot(vault: LockedVault): Promise<readonly string[]> {
  const done = (await breakSeal(vault)).map((name) => `put back what an agent had changed: ${name}`);
  const lost = isRepositoryLost(vault);
  if (lost) await restoreRepository(vault);
  return [...done, ...(lost ? ['made the repository anew from its mirror'] : []), ...(await tidyGitDir(vault))];
}
