import { lstatSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { sweepTempFiles } from '../git/objects/temp-files.ts';
import { removeStaleLocks, removeStalePacks } from '../git/stale-locks.ts';
import type { LockedVault } from './open-vault.ts';

/** Removes what killed processes have left in `.git`, and says what. Throws `vault_damaged` where there is no repository. */
export async function tidyGitDir({ pid, gitDir, objects }: LockedVault): Promise<readonly string[]> {
  if (!lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DevLoopError('vault_damaged', `project ${pid} has no repository`, { data: { pid } });
  }
  const locks = (await removeStaleLocks(gitDir)).map((name) => `removed the stale lock ${name}`);
  const swept = sweepTempFiles(objects.dir) + (await removeStalePacks(objects.dir));
  return swept === 0 ? locks : [...locks, `removed ${swept} unfinished object files`];
}
