import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BisectVerdict } from '../../domain/bisect-step.ts';
import type { Oid } from '../../domain/ids.ts';
import { removeTree } from '../../io/remove-tree.ts';
import type { OpenVault } from '../open-vault.ts';
import { extractRevision } from './extract-revision.ts';

/** Judges the files of a commit in a fresh folder (absolute path). */
export type CommitCheck = (folder: string, sha: Oid) => Promise<BisectVerdict>;

/** Has a commit judged in a folder that is gone afterwards. */
export async function tryCommit(
  vault: OpenVault,
  sha: Oid,
  { check, signal }: { readonly check: CommitCheck; readonly signal?: AbortSignal },
): Promise<BisectVerdict> {
  signal?.throwIfAborted();
  const folder = join(vault.state, `bisect-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder);
  try {
    await extractRevision(vault, sha, folder);
    return await check(folder, sha);
  } finally {
    await removeTree(folder);
  }
}
