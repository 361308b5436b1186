import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packAll } from '../git/pack-all.ts';
import { runGit } from '../git/run.ts';
import { removeStalePacks } from '../git/stale-locks.ts';
import { hasCode } from '../io/io-error.ts';
import { syncFolder } from '../io/write-atomic.ts';
import type { LockedVault, OpenVault } from './open-vault.ts';
import { isSealed } from './seal/seal.ts';

/** More packs than that, or more loose objects, make a repository slow to look into. */
const MOST_PACKS = 50;
const MOST_LOOSE = 2000;
const MOST_MS = 60_000;

/** True where a project's objects should be packed anew; none while an agent call is running. */
export function needsMaintenance(vault: OpenVault): boolean {
  if (isSealed(vault) !== 'no') return false;
  return packsOf(vault).length > MOST_PACKS || hasManyLoose(vault);
}

/**
 * Packs all objects into one, and deletes what is in it twice then: no object is given up, be it one that only a person's index or
 * stash knows. Readers go on meanwhile; a kill leaves nothing but objects that are there twice.
 * @throws DevLoopError timeout, disk_full, vault_damaged
 */
export async function maintain(vault: LockedVault): Promise<void> {
  await removeStalePacks(vault.objects.dir);
  const before = packsOf(vault);
  const name = await packAll(vault.shadow, AbortSignal.timeout(MOST_MS));
  if (name === undefined) return;
  const folder = packFolder(vault);
  // Without it a power cut could keep the deletions and lose the pack.
  syncFolder(folder);
  for (const pack of before) if (pack !== name) removePack(folder, pack);
  await runGit(vault.shadow, ['prune-packed', '-q']);
  vault.objects.refresh();
}

const packFolder = ({ objects }: OpenVault): string => join(objects.dir, 'pack');

/** Names of the packs without their endings, but for those that somebody keeps. */
function packsOf(vault: OpenVault): readonly string[] {
  const names = new Set(namesIn(packFolder(vault)));
  const packs = [...names].filter((name) => name.endsWith('.pack')).map((name) => name.slice(0, -'.pack'.length));
  return packs.filter((name) => !names.has(`${name}.keep`));
}

/** Git counts alike: ids are even, so that one of the 256 folders tells for all. */
function hasManyLoose({ objects }: OpenVault): boolean {
  return namesIn(join(objects.dir, '17')).length * 256 > MOST_LOOSE;
}

/** The index goes first: without it nobody looks for the pack. */
function removePack(folder: string, pack: string): void {
  for (const ending of ['idx', 'rev', 'bitmap', 'mtimes', 'pack'])
    rmSync(join(folder, `${pack}.${ending}`), { force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
