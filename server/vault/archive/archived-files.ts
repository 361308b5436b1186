import { type BytePath, pathText } from '../../domain/byte-path.ts';
import type { TreeEntry } from '../../domain/commit.ts';
import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { isReservedName } from '../../tree/index.ts';
import { readCommit } from '../commit-info.ts';
import type { OpenVault } from '../open-vault.ts';
import { filesBelow } from '../read-tree.ts';
import { resolveCommit } from '../rev.ts';

/** What an archive of a revision holds. */
export interface ArchivedFiles {
  readonly commit: Oid;
  readonly tree: Oid;
  /** When it was committed. */
  readonly time: Date;
  /** Files and links, in the order that git lists them in. */
  readonly files: readonly TreeEntry[];
}

/** Lists what an archive of a revision holds. Throws vault_damaged for a name that would be dangerous where it is unpacked. */
export async function archivedFiles(vault: OpenVault, rev: string): Promise<ArchivedFiles> {
  const commit = await resolveCommit(vault, rev);
  const { tree, committer } = await readCommit(vault, commit);
  const files: TreeEntry[] = [];
  for await (const entry of filesBelow(vault, tree)) {
    checkName(entry.path);
    // A commit of another repository has no content here.
    if (entry.kind !== 'gitlink') files.push(entry);
  }
  return { commit, tree, time: new Date(committer.seconds * 1000), files };
}

function checkName(path: BytePath): void {
  if (!path.split('/').some((name) => name === '' || isReservedName(name))) return;
  throw new DevLoopError(
    'vault_damaged',
    `the revision holds the name ${JSON.stringify(pathText(path).path)}, which no tree may hold`,
    { data: { ...pathText(path) } },
  );
}
