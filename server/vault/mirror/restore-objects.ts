import { DevLoopError } from '../../domain/errors.ts';
import { packOf } from '../../git/bundle.ts';
import { importPack } from '../../git/import-pack.ts';
import type { LockedVault } from '../open-vault.ts';
import { isMirrored } from './mirror.ts';
import { mirrorDir } from './mirror-dir.ts';

/** Brings all objects of the mirror into the repository. Throws vault_damaged where it does not hold what the record names. */
export async function restoreObjects(vault: LockedVault): Promise<void> {
  refuseUnmirrored(vault);
  const want = [...new Set(vault.refs.all().values())];
  await importPack(vault.shadow, packOf(mirrorDir(vault.state), { want, quick: true }));
}

/** Throws vault_damaged where the mirror cannot stand in for a repository that is lost. */
export function refuseUnmirrored(vault: LockedVault): void {
  if (isMirrored(vault)) return;
  throw new DevLoopError('vault_damaged', `objects of project ${vault.pid} are lost, and its mirror is behind`, {
    data: { pid: vault.pid, mirror: mirrorDir(vault.state) },
    hint: 'Copy the folder of the project and its mirror before you try to repair it.',
  });
}
