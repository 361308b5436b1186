import type { Oid, RescueId } from '../domain/ids.ts';
import { rescueRef } from '../domain/ref-names.ts';
import { DEVLOOP } from '../domain/roles.ts';
import { readCommit } from './commit-info.ts';
import { withDraft } from './draft.ts';
import { loadTree } from './head-tree.ts';
import { newRescueId, RESCUE_TRAILERS } from './keep-rescue.ts';
import { type LockedVault, recordedHead } from './open-vault.ts';

/**
 * Keeps a commit that the server did not make: by a rescue that holds its files and has it as its second parent. Its objects must be
 * there. Throws `vault_damaged` where its files have names that no tree may hold.
 */
export async function rescueForeign(vault: LockedVault, foreign: Oid): Promise<RescueId> {
  const { tree } = await readCommit(vault, foreign);
  await loadTree(vault, tree);
  const id = newRescueId(vault, REASON);
  await withDraft(vault, 'keeping a commit that somebody else made', async (draft) => {
    const to = draft.commit({
      tree,
      parents: [recordedHead(vault), foreign],
      author: DEVLOOP,
      subject: `rescue: commit ${foreign.slice(0, 12)}, not made by the server`,
      trailers: [{ key: RESCUE_TRAILERS.reason, value: REASON }],
    });
    await draft.publish([{ ref: rescueRef(id), to }]);
  });
  return id;
}

const REASON = 'vault-tampered';
