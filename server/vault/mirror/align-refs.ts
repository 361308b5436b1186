import { type Oid, ZERO_OID } from '../../domain/ids.ts';
import { updateRefs } from '../../git/ref-transaction.ts';
import { listRefs } from '../../git/refs.ts';
import type { LockedVault } from '../open-vault.ts';

/** Makes the refs what they should be, no more and no fewer. */
export async function alignRefs({ gitDir }: LockedVault, expected: ReadonlyMap<string, Oid>): Promise<void> {
  const actual = listRefs(gitDir, 'refs/');
  const updates = [...new Set([...expected.keys(), ...actual.keys()])].flatMap((ref) => {
    const [old, value] = [actual.get(ref) ?? ZERO_OID, expected.get(ref) ?? ZERO_OID];
    return old === value ? [] : [{ ref, old, new: value }];
  });
  if (updates.length > 0) await updateRefs({ gitDir, updates });
}
