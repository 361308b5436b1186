import { isDevLoopError } from '../domain/errors.ts';
import { adoptRefs } from './adopt-refs.ts';
import type { LockedVault } from './open-vault.ts';
import { settleRefs } from './settle-refs.ts';
import { followRefs } from './strayed/follow-refs.ts';

/** Brings the refs and the record of them together, whoever has moved which. @returns what was done, in words */
export async function settleAtBoot(vault: LockedVault): Promise<readonly string[]> {
  const finished = (await settleRefs(vault)).map((ref) => `finished moving ${ref}`);
  return [...finished, ...(await adoptRefs(vault)), ...(await followReadable(vault))];
}

/** A ref that cannot be read stays as it is: it is among the problems. */
async function followReadable(vault: LockedVault): Promise<readonly string[]> {
  try {
    return await followRefs(vault);
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged', 'path_refused')) return [];
    throw error;
  }
}
