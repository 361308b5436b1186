import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRefusal } from '../domain/system-refusal.ts';
import { packAll } from '../git/pack-all.ts';
import { runGit } from '../git/run.ts';
import { removeStalePacks } from '../git/stale-locks.ts';
import { hasCode } from '../io/io-error.ts';
import { syncFolder } from '../io/write-atomic.ts';
import { expireKept } from './expire-kept.ts';
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

export interface MaintainOptions {
  /** When the project came to an end that nothing follows; absent where it has not. */
  readonly ended?: Date;
}

export interface Maintained {
  /** False where there was nothing to put together. */
  readonly packed: boolean;
  /** Rescues and attempts that are not listed any more, as `rescue/{id}` and `attempts/{unit}/{round}/{attempt}`. */
  readonly expired: readonly string[];
}

/**
 * Takes what was kept long enough off the list, and packs all objects into one. Readers go on meanwhile.
 * @throws DevLoopError timeout, disk_full, vault_damaged
 */
export async function maintain(vault: LockedVault, { ended }: MaintainOptions = {}): Promise<Maintained> {
  try {
    const expired = ended === undefined ? [] : await expireKept(vault, ended);
    const packed = !isTidy(vault);
    if (packed) await pack(vault);
    return { packed, expired };
  } catch (error) {
    const { pid } = vault;
    throw systemRefusal(error, { doing: `maintaining project ${pid}`, data: { pid } });
  }
}

/**
 * Packs all objects into one, and deletes what is in it twice then: no object is given up, be it one that only a person's index or
 * stash knows. A kill leaves nothing but objects that are there twice.
 * @throws DevLoopError timeout, disk_full, vault_damaged
 */
export async function pack(vault: LockedVault): Promise<void> {
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

/** True where one pack has everything, and nothing that a killed git has left lies beside it. */
function isTidy({ objects }: OpenVault): boolean {
  const packs = namesIn(join(objects.dir, 'pack')).filter((name) => !name.endsWith('.keep'));
  const isOne =
    packs.filter((name) => name.endsWith('.pack')).length <= 1 && !packs.some((name) => name.startsWith('tmp_'));
  return (
    isOne && namesIn(objects.dir).every((name) => !LOOSE.test(name) || namesIn(join(objects.dir, name)).length === 0)
  );
}

const LOOSE = /^[0-9a-f]{2}$/;

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
