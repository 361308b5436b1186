import { lstatSync } from 'node:fs';
import { isDevLoopError } from '../domain/errors.ts';
import { MAIN } from '../domain/ref-names.ts';
import { readRef } from '../git/refs.ts';
import { IoError } from '../io/io-error.ts';
import { isMirroredMove } from './mirror.ts';
import type { LockedVault } from './open-vault.ts';
import { restoreRepository } from './restore-repository.ts';
import { breakSeal } from './seal/seal.ts';
import { tidyGitDir } from './tidy-git-dir.ts';

/**
 * Puts back what agent calls changed in `.git` that were running when the server was killed, and makes a repository that is
 * gone, or has lost main's commit, anew from the mirror. Then what killed processes left is removed.
 * @returns what was done, in words. Throws vault_damaged where the mirror does not hold what the record names.
 */
export async function restoreAtBoot(vault: LockedVault): Promise<readonly string[]> {
  const { refs } = vault;
  if (refs.pending !== undefined && isMirroredMove(vault, refs.pending)) refs.confirm();
  const done = (await breakSeal(vault)).map((name) => `put back what an agent had changed: ${name}`);
  const lost = isLost(vault);
  if (lost) await restoreRepository(vault);
  return [...done, ...(lost ? ['made the repository anew from its mirror'] : []), ...(await tidyGitDir(vault))];
}

/** A main that is elsewhere, or damaged, is not lost: somebody must say what is to become of it. */
function isLost({ gitDir, refs, objects }: LockedVault): boolean {
  const head = refs.get(MAIN);
  if (head === undefined) return false;
  const folders = [gitDir, `${gitDir}/objects`].every((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory(),
  );
  return !folders || !objects.has(head) || !hasMain(gitDir);
}

function hasMain(gitDir: string): boolean {
  try {
    return readRef(gitDir, MAIN) !== undefined;
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged') || error instanceof IoError) return true;
    throw error;
  }
}
