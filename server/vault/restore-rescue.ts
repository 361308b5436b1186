import type { BytePath } from '../domain/byte-path.ts';
import type { RescueId } from '../domain/ids.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import { readCommit } from './commit-info.ts';
import { keepLedgers } from './keep-ledgers.ts';
import { keepRescue } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';
import { resolveCommit } from './rev.ts';
import { treeOf } from './rev-tree.ts';
import { NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

/** Brings back what a rescue kept: the files in which it differs from the commit that it was made on. */
export async function restoreRescue(vault: LockedVault, id: RescueId): Promise<Restored> {
  const sha = await resolveCommit(vault, `rescue/${id}`);
  const { parents } = await readCommit(vault, sha);
  const target = await treeOf(vault, sha);
  const before = parents[0] === undefined ? undefined : await treeOf(vault, parents[0]);
  const asked = new Set<BytePath>(before ? treeDifference(before, target).map(({ path }) => path) : []);
  const { disk } = await vault.tree.look({ tracked: target });
  return writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, (path) => (before === undefined || asked.has(path) ? undefined : NOT_ASKED)),
    read: (file) => readBlob(vault, file),
    rescue: () => keepRescue(vault, { reason: 'restore-rescue' }),
  });
}
