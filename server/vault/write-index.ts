import type { TreeFolder } from '../domain/file-tree.ts';
import { type LockedIndex, lockIndex } from '../git/index-file.ts';
import { encodeIndex } from '../git/index-format.ts';
import type { DiskFolder } from '../tree/index.ts';
import { indexContent } from './index-content.ts';
import type { Companion } from './move-refs.ts';
import type { LockedVault } from './open-vault.ts';
import { isRefusal } from './refusal.ts';

/** A person's `git status` holds its lock for a moment only. */
const WAIT_MS = 500;

/**
 * Writes the index for main's tree, so that a person's `git status` tells what differs from main. Where a person's git holds
 * its lock for longer than a moment it is left, and shows changes that are committed already until it is written the next time.
 */
export async function writeIndex({ gitDir }: LockedVault, about: IndexOf): Promise<void> {
  const lock = await lockIndex(gitDir, WAIT_MS);
  lock?.replace(indexBytes(about));
}

export interface IndexOf {
  readonly tree: TreeFolder;
  readonly disk: DiskFolder | undefined;
}

/**
 * The same beside a move of refs. Git's lock is taken before they move: a person who stages files at that moment is refused, as
 * the index that they would stage into is that of the commit before. It is waited for only afterwards: a person's git may hold it,
 * and wait for a ref. Once the refs have moved the commit has come to pass: an index that the system does not take then is left.
 */
export function indexBeside({ gitDir }: LockedVault, about: IndexOf): Companion {
  let lock: LockedIndex | undefined;
  return {
    async prepare() {
      lock = await lockIndex(gitDir, 0);
    },
    async publish() {
      try {
        lock ??= await lockIndex(gitDir, WAIT_MS);
        lock?.replace(indexBytes(about));
      } catch (error) {
        lock?.drop();
        if (!isRefusal(error)) throw error;
      }
    },
    drop: () => lock?.drop(),
  };
}

function indexBytes({ tree, disk }: IndexOf): Buffer {
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return encodeIndex(indexContent(tree, disk, owner));
}
