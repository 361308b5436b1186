import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../../domain/byte-path.ts';
import { isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import type { WorkspaceSettings } from '../../domain/point.ts';
import { hasCode } from '../../io/io-error.ts';
import { readBelow } from '../../io/safe-path.ts';
import { gitDirsOf, readUserRepository } from '../user-repository.ts';
import { remotesOf, type SavedRemote } from './remote-urls.ts';
import { readStashes, readUserRefs } from './user-refs.ts';

/** Why the history of a repository is not saved. */
export type HistoryLeftOut = 'outside' | 'borrowed' | 'shallow' | 'format' | 'empty' | 'damaged';

/** What is to be saved of a repository's history. */
export interface HistorySource {
  /** Absolute path of the git dir with the objects. */
  readonly common: string;
  /** Under the names that the bundle has. */
  readonly refs: ReadonlyMap<string, Oid>;
  readonly remotes: readonly SavedRemote[] | undefined;
  /** Two sources with one key have the same bundle. */
  readonly key: string;
}

type Wishes = Pick<WorkspaceSettings, 'nested_stash' | 'nested_remotes' | 'history_recipients'>;

const MOST_CONFIG = 1024 * 1024;

/** Reads what a repository's history is, file by file: nothing that it configures is run. */
export function historySource(root: string, path: BytePath, wishes: Wishes): HistorySource | HistoryLeftOut {
  try {
    return readSource(root, path, wishes);
  } catch (error) {
    const damaged = isDevLoopError(error, 'vault_damaged') || hasCode(error, 'path_refused', 'too_large');
    if (damaged || hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return 'damaged';
    throw error;
  }
}

function readSource(root: string, path: BytePath, wishes: Wishes): HistorySource | HistoryLeftOut {
  const dirs = gitDirsOf(root, path);
  if (dirs === undefined) return 'damaged';
  const common = realpathSync.native(dirs.common);
  // A file named .git can lead to any repository of the person's.
  if (!common.startsWith(root === '/' ? root : `${root}/`)) return 'outside';
  if (!lstatSync(join(common, 'objects')).isDirectory()) return 'outside';
  if (isThere(join(common, 'objects/info/alternates'))) return 'borrowed';
  if (isThere(join(common, 'shallow'))) return 'shallow';
  const config = readBelow(common, 'config', MOST_CONFIG)?.toString() ?? '';
  if (/^\s*(objectformat\s*=\s*sha256|refstorage\s*=\s*(?!files)|partialclone\b)/im.test(config)) return 'format';
  const refs = refsOf(common, readUserRepository(root, path)?.head, wishes);
  if (refs.size === 0) return 'empty';
  const remotes = wishes.nested_remotes ? remotesOf(config) : undefined;
  const parts = [1, [...refs], remotes ?? [], [...(wishes.history_recipients ?? [])].sort()];
  return { common, refs, remotes, key: createHash('sha256').update(JSON.stringify(parts)).digest('hex') };
}

function refsOf(common: string, head: Oid | undefined, { nested_stash }: Wishes): ReadonlyMap<string, Oid> {
  const refs = new Map(readUserRefs(common));
  refs.delete('refs/stash');
  const stashes = nested_stash ? readStashes(common) : [];
  for (const [i, oid] of stashes.entries()) refs.set(`${STASHES}${i}`, oid);
  return head === undefined ? refs : new Map([['HEAD', head], ...refs]);
}

/** Each stash entry has a ref of its own in a bundle; 0 is the newest. */
export const STASHES = 'refs/devloop/stash/';

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
