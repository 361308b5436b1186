import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeFolder } from '../domain/file-tree.ts';
import { type PendingIndex, prepareIndex } from '../git/index-file.ts';
import { encodeIndex } from '../git/index-format.ts';
import type { DiskFolder } from '../tree/index.ts';
import { indexContent } from './index-content.ts';
import type { LockedVault } from './open-vault.ts';

/** A person's `git status` holds its lock for a moment only. */
const WAIT_MS = 500;

/**
 * Writes the index for main's tree beside the one that is there, so that a person's `git status` tells what differs from main.
 * Others run first. Undefined where a person's git holds its lock for longer than a moment: then it shows changes that are
 * committed already until it is written the next time.
 */
export async function prepareIndexOf(
  { gitDir }: LockedVault,
  tree: TreeFolder,
  disk: DiskFolder | undefined,
): Promise<PendingIndex | undefined> {
  await nextTurn();
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const bytes = encodeIndex(indexContent(tree, disk, owner));
  return prepareIndex(gitDir, { bytes, wait_ms: WAIT_MS });
}
