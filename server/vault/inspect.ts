import type { Oid } from '../domain/ids.ts';
import { restoreLost } from './mend.ts';
import { isRepositoryLost } from './mirror/is-repository-lost.ts';
import { type LockedVault, recordedHead } from './open-vault.ts';
import { putPinnedFilesBack } from './pinned-files.ts';
import { bringIndexUp } from './rewrite-index.ts';
import { settleAtBoot } from './settle-at-boot.ts';
import { tidyGitDir } from './tidy-git-dir.ts';
import { findProblems } from './verify.ts';
import { finishRestores } from './write-files.ts';

export interface Inspection {
  readonly head: Oid;
  /** What was put right. */
  readonly repaired: readonly string[];
  /** What somebody must look at. */
  readonly problems: readonly string[];
}

/**
 * Finds out what a killed server, or somebody else since, has left of a repository, and puts right what is certain: what agent
 * calls changed, a repository that is gone, stale locks, unfinished files, a move of refs under way, refs that a person moved,
 * pinned files, an index that is behind.
 * @throws DevLoopError vault_damaged where there is no repository, or none with a commit
 */
export async function inspect(vault: LockedVault): Promise<Inspection> {
  const lost = lostMove(vault);
  const repaired = [
    ...(await restoreLost(vault)),
    ...(await tidyGitDir(vault)),
    ...(await finishRestores(vault)).map(
      ({ id, changed }) => `finished writing files back (${id}, ${changed} changes)`,
    ),
    ...(await settleAtBoot(vault)),
    ...(await putPinnedFilesBack(vault)),
  ];
  const head = recordedHead(vault);
  const problems = [...lost, ...findProblems(vault)];
  const behind = problems.length === 0 && (await bringIndexUp(vault));
  return { head, repaired: behind ? [...repaired, 'brought the index up to main'] : repaired, problems };
}

/** A move that nobody noted the end of, where the objects went with the repository: it may have been acknowledged. */
function lostMove(vault: LockedVault): readonly string[] {
  const { pending } = vault.refs;
  if (pending === undefined || vault.ahead?.left !== undefined || !isRepositoryLost(vault)) return [];
  return pending.updates.map(
    ({ ref, new: oid }) => `${oid}, which ${ref} was last moved to, is lost with the repository`,
  );
}
