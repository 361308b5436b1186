import { isDevLoopError } from '../domain/errors.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import { holdsText } from '../git/holds-text.ts';
import type { ObjectStore } from '../git/objects/object-store.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { readRef } from '../git/refs.ts';

interface MoveOnRecord {
  readonly pending: { readonly updates: readonly RefUpdate[] } | undefined;
  confirm(): void;
}

/** Takes note of the last move, where it is plain to see that it came to pass. */
export function confirmMoved(refs: MoveOnRecord, gitDir: string, objects: Pick<ObjectStore, 'has'>): void {
  try {
    const arrived = (update: RefUpdate): boolean =>
      isAt(gitDir, update.ref, update.new) && (update.new === ZERO_OID || objects.has(update.new));
    if (refs.pending?.updates.every(arrived)) refs.confirm();
  } catch (error) {
    // The damage is met again, and told, by whoever needs the ref.
    if (!isDevLoopError(error, 'vault_damaged')) throw error;
  }
}

/**
 * True where a ref has a value; `ZERO_OID` stands for absent. Nearly always its own file tells; it is read with care only where it
 * does not. Throws `vault_damaged`.
 */
export function isAt(gitDir: string, ref: string, value: Oid): boolean {
  return holdsText(gitDir, ref, `${value}\n`) || (readRef(gitDir, ref) ?? ZERO_OID) === value;
}
