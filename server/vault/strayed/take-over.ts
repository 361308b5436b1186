import type { Oid } from '../../domain/ids.ts';
import { MAIN } from '../../domain/ref-names.ts';
import { updateRefs } from '../../git/ref-transaction.ts';
import { commitsBetween } from '../../git/rev-list.ts';
import { readCommit } from '../commit-info.ts';
import { loadTree } from '../head-tree.ts';
import type { LockedVault } from '../open-vault.ts';
import { importCommits, whereSound } from './import-commits.ts';
import type { StrayedRef } from './strayed-refs.ts';

/**
 * Makes main by the record what somebody has made of it, where only whole commits on top of it were added.
 * @returns how many; 0 where they cannot be taken over
 */
export async function takeOver(vault: LockedVault, { recorded, now }: StrayedRef): Promise<number> {
  if (now === undefined) return 0;
  const commits = (await whereSound(() => wholeCommits(vault, { recorded, now }))) ?? 0;
  if (commits === 0) return 0;
  await vault.refs.begin({
    updates: [{ ref: MAIN, old: recorded, new: now }],
    ts: vault.settings.now().toISOString(),
  });
  try {
    // Written once more, since nobody waited for the disk.
    await updateRefs({ gitDir: vault.gitDir, updates: [{ ref: MAIN, old: now, new: now }] });
  } catch (error) {
    await vault.refs.revoke();
    throw error;
  }
  vault.refs.confirm();
  vault.refs.tell();
  return commits;
}

/** Counts the commits on top of main, once all their objects are there, hash to their ids and are durable. */
async function wholeCommits(
  vault: LockedVault,
  { recorded, now }: { readonly recorded: Oid; readonly now: Oid },
): Promise<number> {
  const between = await commitsBetween(vault.shadow, { good: recorded, bad: now });
  if (between.kind === 'unrelated') return 0;
  await importCommits(vault, now);
  await loadTree(vault, (await readCommit(vault, now)).tree);
  return between.commits.length;
}
