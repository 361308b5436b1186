import { ZERO_OID } from '../domain/ids.ts';
import { updateRefs } from '../git/ref-transaction.ts';
import { readRef } from '../git/refs.ts';
import type { LockedVault } from './open-vault.ts';

/**
 * Finds out what became of a move of refs that was under way when the server was killed: one that had begun is brought
 * to its end (the objects were there before the first ref moved), one that had not never will. Of a ref that somebody else has
 * moved since it cannot be told: where the objects are there the move counts, and `followRefs` sees to the ref.
 * @returns the refs that it moved
 */
export async function settleRefs(vault: LockedVault): Promise<readonly string[]> {
  const { refs, gitDir, objects } = vault;
  if (refs.pending === undefined) return [];
  const updates = refs.pending.updates.map((update) => ({ ...update, now: readRef(gitDir, update.ref) ?? ZERO_OID }));
  const untouched = updates.every((update) => update.now === update.old);
  if (untouched || !updates.every((update) => update.new === ZERO_OID || objects.has(update.new))) {
    refs.revoke();
    return [];
  }
  const behind = updates.filter((update) => update.now === update.old && update.now !== update.new);
  await updateRefs({ gitDir, updates: behind });
  refs.confirm();
  return behind.map(({ ref }) => ref);
}
