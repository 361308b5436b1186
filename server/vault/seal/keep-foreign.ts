import { existsSync, readdirSync } from 'node:fs';
import { isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { packOf } from '../../git/bundle.ts';
import { importPack } from '../../git/import-pack.ts';
import type { LockedVault } from '../open-vault.ts';
import { rescueForeign } from '../rescue-foreign.ts';
import { peel } from '../rev.ts';

/**
 * Keeps commits that somebody else made as rescues: their objects are taken from a folder apart, each of them hashed on the way.
 * @param objects absolute path of that folder
 * @returns ids that could not be kept: something of them is missing or not what it says it is
 */
export async function keepForeignCommits(
  vault: LockedVault,
  { tips, objects }: { readonly tips: readonly Oid[]; readonly objects: string },
): Promise<readonly Oid[]> {
  const lost: Oid[] = [];
  for (const tip of tips.filter((oid) => mayBeThere(vault, oid, objects)).slice(0, MOST)) {
    if (!(await keepForeign(vault, { tip, objects }))) lost.push(tip);
  }
  return lost;
}

async function keepForeign(
  vault: LockedVault,
  { tip, objects }: { readonly tip: Oid; readonly objects: string },
): Promise<boolean> {
  try {
    const have = [...new Set(vault.refs.all().values())];
    await importPack(vault.shadow, packOf(vault.shadow, { want: [tip], have, quick: true, newObjects: objects }));
    vault.objects.refresh();
    const target = await peel(vault, tip);
    if (target?.kind !== 'commit') return false;
    await rescueForeign(vault, target.oid);
    return true;
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged', 'git_failed', 'object_missing', 'vault_tampered')) return false;
    throw error;
  }
}

/** Somebody who made more branches than that wanted something else than to keep them; their objects are set aside all the same. */
const MOST = 20;

/** An id that is nowhere was only written into a ref. */
function mayBeThere(vault: LockedVault, oid: Oid, objects: string): boolean {
  const loose = existsSync(`${objects}/${oid.slice(0, 2)}/${oid.slice(2)}`);
  return loose || vault.objects.has(oid) || readdirSync(`${objects}/pack`).length > 0;
}
