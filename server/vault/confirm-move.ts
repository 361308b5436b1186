import { isDevLoopError } from '../domain/errors.ts';
import { ZERO_OID } from '../domain/ids.ts';
import { readRef } from '../git/refs.ts';
import type { RefsRecord } from './refs-record.ts';

/** Takes note of the recorded move, where it is plain to see that it came to pass. */
export function confirmMoved(refs: RefsRecord, gitDir: string): void {
  try {
    if (refs.pending?.updates.every(({ ref, new: value }) => (readRef(gitDir, ref) ?? ZERO_OID) === value))
      refs.confirm();
  } catch (error) {
    // The damage is met again, and told, by whoever needs the ref.
    if (!isDevLoopError(error, 'vault_damaged')) throw error;
  }
}
