import { existsSync, readdirSync } from 'node:fs';
import type { Oid, RescueId } from '../../domain/ids.ts';
import type { LockedVault } from '../open-vault.ts';
import { rescueForeign } from '../rescue-foreign.ts';
import { peel } from '../rev.ts';
import { importCommits, isUnsound, whereSound } from '../strayed/import-commits.ts';

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
    if (!(await isKept(vault, { tip, objects }))) lost.push(tip);
  }
  return lost;
}

/** What could not be kept is set aside in any case. */
async function isKept(vault: LockedVault, from: { readonly tip: Oid; readonly objects: string }): Promise<boolean> {
  try {
    return (await keepForeign(vault, from)) !== undefined;
  } catch (error) {
    if (isUnsound(error)) return false;
    throw error;
  }
}

/** Keeps one; its objects may be in the repository itself. @returns undefined where it cannot be kept */
export function keepForeign(
  vault: LockedVault,
  { tip, objects }: { readonly tip: Oid; readonly objects?: string },
): Promise<RescueId | undefined> {
  return whereSound(async () => {
    await importCommits(vault, tip, objects);
    const target = await peel(vault, tip);
    return target?.kind === 'commit' ? rescueForeign(vault, target.oid) : undefined;
  });
}

/** Somebody who made more branches than that wanted something else than to keep them; their objects are set aside all the same. */
const MOST = 20;

/** An id that is nowhere was only written into a ref. */
function mayBeThere(vault: LockedVault, oid: Oid, objects: string): boolean {
  const loose = existsSync(`${objects}/${oid.slice(0, 2)}/${oid.slice(2)}`);
  return loose || vault.objects.has(oid) || readdirSync(`${objects}/pack`).length > 0;
}
