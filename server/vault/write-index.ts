import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeFolder } from '../domain/file-tree.ts';
import { replaceIndex } from '../git/index-file.ts';
import { encodeIndex } from '../git/index-format.ts';
import type { DiskFolder } from '../tree/index.ts';
import { indexContent } from './index-content.ts';
import type { LockedVault } from './open-vault.ts';

/** A person's `git status` holds its lock for a moment only. */
const WAIT_MS = 500;

/** Makes the bytes of the index for main's tree; others run first. */
export async function indexBytes(tree: TreeFolder, disk: DiskFolder | undefined): Promise<Buffer> {
  await nextTurn();
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return encodeIndex(indexContent(tree, disk, owner));
}

/**
 * Writes the index, so that a person's `git status` tells what differs from main. Where a person's git holds its lock for
 * longer than a moment it is left, and shows changes that are committed already until it is written the next time.
 */
export async function writeIndex({ gitDir }: LockedVault, bytes: Buffer): Promise<void> {
  await replaceIndex(gitDir, { bytes, wait_ms: WAIT_MS });
}
