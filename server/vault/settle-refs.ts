import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import { type RefUpdate, updateRefs } from '../git/ref-transaction.ts';
import { readRef } from '../git/refs.ts';
import type { LockedVault } from './open-vault.ts';
import { redoLeft } from './redo-left.ts';

/**
 * Finds out what became of a move of refs that was under way when the server was killed: one that had begun is brought
 * to its end where its objects are there, and taken back where a power cut has taken them: nobody was told of it; one that
 * had not begun never will. A person's refs that were only taken over stay. Of a ref that somebody else has moved since it
 * cannot be told: where the objects are there the move counts, and `followRefs` sees to the ref.
 * @returns the refs that it moved
 */
export async function settleRefs(vault: LockedVault): Promise<readonly string[]> {
  const { refs, gitDir, objects } = vault;
  await vault.ahead?.settling;
  const redone = await redoLeft(vault);
  if (refs.pending === undefined) {
    refs.tell();
    return redone;
  }
  const updates = refs.pending.updates.map((update): Update => {
    return { ...update, now: readRef(gitDir, update.ref) ?? ZERO_OID };
  });
  const untouched = updates.length > 0 && updates.every((update) => update.now === update.old);
  if (untouched || !updates.every((update) => update.new === ZERO_OID || objects.has(update.new))) {
    if (refs.pending.commit !== undefined || !updates.some(beginsMain)) await takeBack(gitDir, updates);
    await refs.revoke();
    return [];
  }
  const behind = updates.filter((update) => update.now === update.old && update.now !== update.new);
  await updateRefs({ gitDir, updates: behind });
  refs.confirm();
  refs.tell();
  return behind.map(({ ref }) => ref);
}

interface Update extends RefUpdate {
  readonly now: Oid;
}

/** Without a commit of ours: a repository that a person brought in. */
const beginsMain = ({ ref, old }: Update): boolean => ref === MAIN && old === ZERO_OID;

async function takeBack(gitDir: string, updates: readonly Update[]): Promise<void> {
  const ahead = updates.filter((update) => update.now === update.new && update.now !== update.old);
  await updateRefs({ gitDir, updates: ahead.map(({ ref, old, now }) => ({ ref, old: now, new: old })) });
}
