import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeFolder } from '../domain/file-tree.ts';
import { type PendingIndex, prepareIndex } from '../git/index-file.ts';
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
  const index = await prepareIndex(gitDir, { bytes: await indexBytes(about), wait_ms: WAIT_MS });
  index?.publish();
}

export interface IndexOf {
  readonly tree: TreeFolder;
  readonly disk: DiskFolder | undefined;
}

/**
 * The same beside a move of refs: it is made while the disk is at work on what they need. Git's lock is held for no longer than
 * the names take, and is waited for only once they are given: a person's git may hold it, and wait for a ref. Once the refs have
 * moved the commit has come to pass: an index that the system does not take then is left as well.
 */
export function indexBeside({ gitDir }: LockedVault, about: IndexOf): { readonly companion: Companion; drop(): void } {
  const making = indexBytes(about);
  // A failure is met by whoever waits for it; until then it must not count as unhandled.
  making.catch(() => undefined);
  let pending: PendingIndex | undefined;
  const prepare = async (wait_ms: number): Promise<void> => {
    pending ??= await prepareIndex(gitDir, { bytes: await making, wait_ms });
  };
  return {
    companion: {
      prepare: () => prepare(0),
      publish: () => orLeave(() => prepare(WAIT_MS).then(() => pending?.publish())),
    },
    drop: () => pending?.drop(),
  };
}

async function orLeave(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Others run first. */
async function indexBytes({ tree, disk }: IndexOf): Promise<Buffer> {
  await nextTurn();
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return encodeIndex(indexContent(tree, disk, owner));
}
