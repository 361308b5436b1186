import { type BytePath, isWithin } from '../domain/byte-path.ts';
import type { WorkingTree } from '../tree/index.ts';
import { heldFor } from './baseline.ts';
import { withDraft } from './draft.ts';
import { headTree } from './head-tree.ts';
import { publishRescue, type Rescued } from './keep-rescue.ts';
import type { LockedVault } from './open-vault.ts';
import { NOT_ASKED, type Restored, writeFiles } from './write-files.ts';

/** Writes the baseline's content back over paths; what was there is kept in a rescue first. */
export async function putBack(vault: LockedVault, paths: readonly BytePath[], reason: string): Promise<Restored> {
  const { files, tree, store } = heldFor(vault);
  const asked = new Set(paths);
  const isAsked = (path: BytePath): boolean => asked.has(path) || paths.some((below) => isWithin(below, path));
  const { disk } = await files.look();
  return writeFiles(vault, {
    now: disk,
    target: tree,
    modes: 'exact',
    keep: (path) => (isAsked(path) ? undefined : NOT_ASKED),
    read: (file) => store.read(file),
    rescue: ({ files: steps }) => keepStrays(vault, files, { reason, paths: steps.map(({ path }) => path) }),
  });
}

async function keepStrays(
  vault: LockedVault,
  files: WorkingTree,
  { reason, paths }: { readonly reason: string; readonly paths: readonly BytePath[] },
): Promise<Rescued> {
  const base = await headTree(vault);
  return withDraft(vault, `the rescue before ${reason}`, async (draft) => {
    const { tree } = await draft.takeFiles({ base, scope: paths, files });
    return { id: await publishRescue(vault, draft, { reason, base, tree }), tree };
  });
}
