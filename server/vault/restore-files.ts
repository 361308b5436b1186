import type { BytePath } from '../domain/byte-path.ts';
import { entryAt, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid, RescueId } from '../domain/ids.ts';
import { treeDifference } from '../domain/tree-difference.ts';
import { inScope, type WriteScope } from '../domain/write-scope.ts';
import { parseTree } from '../git/objects/tree-format.ts';
import { loadTree } from '../tree/index.ts';
import { readCommit } from './commit-info.ts';
import { headTree } from './head-tree.ts';
import { LEDGERS } from './ledger-growth.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';
import { readBlob } from './read-blob.ts';
import { keepRescue } from './rescues.ts';
import { resolveCommit } from './rev.ts';
import { rewriteIndex } from './rewrite-index.ts';
import { isIn, NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

/**
 * Makes the files in scope equal to a revision's. What this overwrites and main does not have is kept in a rescue first.
 * @throws DevLoopError ref_invalid, ref_not_found
 */
export async function restoreFiles(
  vault: LockedVault,
  from: { readonly rev: string; readonly files: WriteScope; readonly reason: string },
): Promise<Restored> {
  const { rev, files: scope, reason } = from;
  const target = await treeOf(vault, await resolveCommit(vault, rev));
  const head = await headTree(vault);
  const { disk } = await vault.tree.look({ tracked: head, scope });
  return writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, (path) => (inScope(path, scope) ? undefined : NOT_ASKED)),
    read: (file) => readBlob(vault, file),
    rescue: async ({ files }) => {
      const isKept = files.every((step) => step.from === undefined || isIn(head, step.path, step.from));
      return isKept ? undefined : keepRescue(vault, { reason, scope });
    },
  });
}

/**
 * Makes all files equal to a revision's, but for ledgers, which keep their lines, and what the repository cannot hold. The
 * whole state before is kept in a rescue. No ref of the project moves.
 */
export async function resetWorkingTree(
  vault: LockedVault,
  { ref, reason }: { readonly ref: string; readonly reason: string },
): Promise<Restored> {
  const target = await treeOf(vault, await resolveCommit(vault, ref));
  const { disk } = await vault.tree.look({ tracked: await headTree(vault) });
  const restored = await writeFiles(vault, {
    now: disk,
    target,
    modes: 'git',
    keep: keepLedgers(disk, () => undefined),
    read: (file) => readBlob(vault, file),
    rescue: () => keepRescue(vault, { reason }),
  });
  await rewriteIndex(vault);
  return restored;
}

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

type Keep = (path: BytePath) => string | undefined;

/** No ledger that is there is ever shortened. */
function keepLedgers(disk: TreeFolder, keep: Keep): Keep {
  return (path) => (LEDGERS.has(path) && entryAt(disk, path) !== undefined ? NOT_ASKED : keep(path));
}

async function treeOf(vault: OpenVault, sha: Oid): Promise<TreeFolder> {
  const { tree } = await readCommit(vault, sha);
  if (vault.refs.treeOf(sha) === tree && (await headTree(vault)).oid === tree) return headTree(vault);
  return loadTree(async (oid) => parseTree((await vault.reader.read(oid)).content), tree);
}
