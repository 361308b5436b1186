import { type DevLoopError, isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { packOf } from '../../git/bundle.ts';
import { importPack } from '../../git/import-pack.ts';
import type { LockedVault } from '../open-vault.ts';

/**
 * Makes durable what somebody else's commit needs besides what the record's refs hold; every object is hashed on the way.
 * @param objects absolute path of a folder with some of them
 * @throws DevLoopError vault_damaged, git_failed
 */
export async function importCommits(vault: LockedVault, tip: Oid, objects?: string): Promise<void> {
  const have = [...new Set(vault.refs.all().values())];
  const request = { want: [tip], have, quick: true, ...(objects !== undefined && { newObjects: objects }) };
  await importPack(vault.shadow, packOf(vault.shadow, request));
  vault.objects.refresh();
}

/**
 * Does work on what somebody else made; undefined where something of it is missing or not what it says it is. Throws where that could
 * not be found out: git was killed, or the disk failed.
 */
export async function whereSound<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isUnsound(error) && !isPassing(error)) return undefined;
    throw error;
  }
}

/** True for what damaged or crafted objects lead to. */
export const isUnsound = (error: unknown): error is DevLoopError =>
  isDevLoopError(error, 'vault_damaged', 'git_failed', 'object_missing', 'vault_tampered');

function isPassing({ data }: DevLoopError): boolean {
  return data?.signal !== undefined || /Input\/output error/.test(String(data?.stderr));
}
