import { isDevLoopError } from '../domain/errors.ts';
import { ZERO_OID } from '../domain/ids.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { readRef } from '../git/refs.ts';

interface MoveOnRecord {
  readonly pending: { readonly updates: readonly RefUpdate[] } | undefined;
  confirm(): void;
}

/** Takes note of the last move, where it is plain to see that it came to pass. */
export function confirmMoved(refs: MoveOnRecord, gitDir: string): void {
  try {
    if (refs.pending?.updates.every(({ ref, new: value }) => (readRef(gitDir, ref) ?? ZERO_OID) === value))
      refs.confirm();
  } catch (error) {
    // The damage is met again, and told, by whoever needs the ref.
    if (!isDevLoopError(error, 'vault_damaged')) throw error;
  }
}
