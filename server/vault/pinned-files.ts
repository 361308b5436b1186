import { isDevLoopError } from '../domain/errors.ts';
import { parseRescueId, ZERO_OID } from '../domain/ids.ts';
import { rescueRef } from '../domain/ref-names.ts';
import { makeRepository } from '../git/new-repository.ts';
import { readHead } from '../git/refs.ts';
import { moveRefs } from './move-refs.ts';
import type { LockedVault } from './open-vault.ts';

/** Puts HEAD, config and attributes back to what they are in every project; a commit that only HEAD held is kept as a rescue. */
export async function putPinnedFilesBack(vault: LockedVault): Promise<readonly string[]> {
  const kept = await keepDetachedHead(vault);
  return [...kept, ...makeRepository(vault.gitDir).map((name) => `put ${name} back`)];
}

async function keepDetachedHead(vault: LockedVault): Promise<readonly string[]> {
  const head = headOf(vault);
  if (head?.kind !== 'detached' || !vault.objects.has(head.oid)) return [];
  if ([...vault.refs.all().values()].includes(head.oid)) return [];
  const time = vault.settings.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const ref = rescueRef(parseRescueId(`${time}-detached-head`));
  await moveRefs(vault, { updates: [{ ref, old: ZERO_OID, new: head.oid }] });
  return [`kept the detached HEAD as ${ref}`];
}

/** Undefined where it is damaged. */
function headOf({ gitDir }: LockedVault) {
  try {
    return readHead(gitDir);
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged')) return undefined;
    throw error;
  }
}
