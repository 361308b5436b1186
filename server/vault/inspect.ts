import type { Oid } from '../domain/ids.ts';
import { adoptRefs } from './adopt-refs.ts';
import { restoreAtBoot } from './mirror/restore-at-boot.ts';
import { type LockedVault, recordedHead } from './open-vault.ts';
import { putPinnedFilesBack } from './pinned-files.ts';
import { bringIndexUp } from './rewrite-index.ts';
import { settleRefs } from './settle-refs.ts';
import { vaultProblems } from './vault-problems.ts';
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
 * calls changed, a repository that is gone, stale locks, unfinished files, a move of refs under way, pinned files, an index that is behind.
 * @throws DevLoopError vault_damaged where there is no repository, or none with a commit
 */
export async function inspect(vault: LockedVault): Promise<Inspection> {
  const repaired = [
    ...(await restoreAtBoot(vault)),
    ...finishRestores(vault).map(({ id, changed }) => `finished writing files back (${id}, ${changed} changes)`),
    ...(await settleRefs(vault)).map((ref) => `finished moving ${ref}`),
    ...(await adoptRefs(vault)),
    ...(await putPinnedFilesBack(vault)),
  ];
  const head = recordedHead(vault);
  const problems = vaultProblems(vault);
  const behind = problems.length === 0 && (await bringIndexUp(vault));
  return { head, repaired: behind ? [...repaired, 'brought the index up to main'] : repaired, problems };
}
