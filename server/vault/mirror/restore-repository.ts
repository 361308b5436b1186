import type { Oid } from '../../domain/ids.ts';
import { makeRepository } from '../../git/new-repository.ts';
import type { LockedVault } from '../open-vault.ts';
import { rewriteIndex } from '../rewrite-index.ts';
import { alignRefs } from './align-refs.ts';
import { refuseUnmirrored, restoreObjects } from './restore-objects.ts';

/**
 * Makes a repository whole again, where `.git` is gone or objects of it are: folders and pinned files, all objects from the mirror,
 * the refs by the server's record, the index. What is there is kept. Done again after a kill, it goes on.
 * @throws DevLoopError vault_damaged where the mirror does not hold what the record names
 */
export async function restoreRepository(vault: LockedVault): Promise<void> {
  refuseUnmirrored(vault);
  makeRepository(vault.gitDir);
  await restoreObjects(vault);
  await finishRestoring(vault, vault.refs.all());
}

/** Makes these the refs, and the index anew, once the objects are there. */
export async function finishRestoring(vault: LockedVault, refs: ReadonlyMap<string, Oid>): Promise<void> {
  vault.objects.refresh();
  // Its git has the packs open that were there before.
  vault.reader.close();
  await alignRefs(vault, refs);
  await rewriteIndex(vault);
}
