import { cleanText } from '../../domain/commit-message.ts';
import type { Oid } from '../../domain/ids.ts';
import { messageParts } from '../../domain/message-parts.ts';
import { MAIN } from '../../domain/ref-names.ts';
import { DEVLOOP } from '../../domain/roles.ts';
import { readCommit } from '../commit-info.ts';
import { withDraft } from '../draft.ts';
import { type LockedVault, recordedHead } from '../open-vault.ts';

/** Makes the commit on main that undoes another one. */
export async function commitRevert(
  vault: LockedVault,
  { undone, tree }: { readonly undone: Oid; readonly tree: Oid },
): Promise<Oid> {
  const head = recordedHead(vault);
  const { subject } = messageParts((await readCommit(vault, undone)).message);
  return withDraft(vault, `reverting ${undone}`, async (draft) => {
    const sha = draft.commit({
      tree,
      parents: [head],
      author: DEVLOOP,
      subject: cleanText(`revert: ${subject}`),
      trailers: [{ key: 'DevLoop-Reverts', value: undone }],
    });
    await draft.publish([{ ref: MAIN, from: head, to: sha }], { commit: { key: `revert-${sha}`, sha, tree } });
    return sha;
  });
}
