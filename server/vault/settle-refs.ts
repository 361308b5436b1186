import { DevLoopError } from '../domain/errors.ts';
import { ZERO_OID } from '../domain/ids.ts';
import { type RefUpdate, updateRefs } from '../git/ref-transaction.ts';
import { readRef } from '../git/refs.ts';
import type { LockedVault } from './open-vault.ts';

/**
 * Finds out what became of a move of refs that was under way when the server was killed: one that had begun is brought
 * to its end (the objects were there before the first ref moved), one that had not never will.
 * @returns the refs that it moved. Throws `vault_damaged` where a ref is neither what it was nor what it was to become.
 */
export async function settleRefs(vault: LockedVault): Promise<readonly string[]> {
  const { refs, gitDir } = vault;
  if (refs.pending === undefined) return [];
  const updates = refs.pending.updates.map((update) => ({ ...update, now: readRef(gitDir, update.ref) ?? ZERO_OID }));
  if (updates.every((update) => update.now === update.old)) {
    refs.revoke();
    return [];
  }
  const behind = updates.filter((update) => update.now !== update.new);
  for (const update of behind) if (update.now !== update.old) throw strayed(update);
  await updateRefs({ gitDir, updates: behind });
  refs.confirm();
  return behind.map(({ ref }) => ref);
}

function strayed({ ref, old, new: wanted, now }: RefUpdate & { readonly now: string }): DevLoopError {
  return new DevLoopError('vault_damaged', `${ref} is at ${now}, neither at ${old} nor at ${wanted}`, {
    data: { ref, old, wanted, now },
  });
}
