import type { Oid } from '../../domain/ids.ts';
import { listRefs } from '../../git/refs.ts';
import type { OpenVault } from '../open-vault.ts';

/** A ref of the record, and where somebody else has moved it; `now` is absent where it is gone. */
export interface StrayedRef {
  readonly ref: string;
  readonly recorded: Oid;
  readonly now: Oid | undefined;
}

/** Lists the refs that are not where the server put them. Throws `vault_damaged` where a ref cannot be read. */
export function strayedRefs({ gitDir, refs }: OpenVault): readonly StrayedRef[] {
  const actual = listRefs(gitDir, 'refs/');
  return [...refs.all()].flatMap(([ref, recorded]) => {
    const now = actual.get(ref);
    return now === recorded ? [] : [{ ref, recorded, now }];
  });
}
