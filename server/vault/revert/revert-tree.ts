import type { Oid } from '../../domain/ids.ts';
import { DEVLOOP } from '../../domain/roles.ts';
import { type MergeResult, mergeTree } from '../../git/merge-tree.ts';
import { encodeCommit } from '../../git/objects/commit-format.ts';
import { EMPTY_TREE } from '../../git/objects/object-id.ts';
import type { ObjectWriter } from '../../git/objects/object-writer.ts';
import { readCommit } from '../commit-info.ts';
import { type LockedVault, recordedHead } from '../open-vault.ts';
import { checkRevertBlobs } from './check-revert-blobs.ts';
import { keepServerFiles } from './keep-server-files.ts';
import type { ScratchObjects } from './scratch-objects.ts';

/**
 * Makes the tree of main without what a commit changed against its first parent. What the server alone writes (ledgers, logs,
 * project.json) stays as main has it.
 */
export async function revertTree(vault: LockedVault, scratch: ScratchObjects, undone: Oid): Promise<MergeResult> {
  const { tree: after, parents } = await readCommit(vault, undone);
  const [parent] = parents;
  const before = parent === undefined ? EMPTY_TREE : (await readCommit(vault, parent)).tree;
  const main = (await readCommit(vault, recordedHead(vault))).tree;
  await checkRevertBlobs(vault, { before, after, main });
  const writer = scratch.writer();
  // A merge whose common ancestor is the commit, and whose sides are main and the commit's parent, takes the change back.
  const base = throwAway(writer, { tree: after, parents: [] });
  const theirs = throwAway(writer, {
    tree: await keepServerFiles(vault, writer, { from: after, in: before }),
    parents: [base],
  });
  const ours = throwAway(writer, { tree: main, parents: [base] });
  await writer.finish();
  return mergeTree(vault.shadow, { ours, theirs, newObjects: scratch.dir });
}

function throwAway(
  writer: ObjectWriter,
  { tree, parents }: { readonly tree: Oid; readonly parents: readonly Oid[] },
): Oid {
  const signature = { ...DEVLOOP, seconds: 0 };
  return writer.write(
    'commit',
    encodeCommit({ tree, parents, author: signature, committer: signature, message: 'x\n' }),
  );
}
