import type { Oid } from '../domain/ids.ts';
import { parseTagName, type RefName, tagRef } from '../domain/ref-names.ts';
import { readRef } from '../git/refs.ts';
import type { OpenVault } from './open-vault.ts';

/** Chooses the first free name of `name`, `name.2`, `name.3`, …: a tag is never moved. Throws `ref_invalid`. */
export function chooseTagName(vault: OpenVault, name: string): { readonly name: string; readonly ref: RefName } {
  for (let count = 1; ; count++) {
    const candidate = parseTagName(count === 1 ? name : `${name}.${count}`);
    const ref = tagRef(candidate);
    if (tagValue(vault, ref) === undefined) return { name: candidate, ref };
  }
}

/** A tag that somebody else made takes its name as well. */
export function tagValue({ refs, gitDir }: OpenVault, ref: RefName): Oid | undefined {
  return refs.get(ref) ?? readRef(gitDir, ref);
}
