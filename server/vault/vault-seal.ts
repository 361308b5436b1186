import type { ProjectId } from '../domain/ids.ts';
import { needsMendingAnywhere } from './needs-mending.ts';
import { checkSeal, seal } from './seal/seal.ts';
import type { VaultSet } from './vault-set.ts';

/** What stands around each agent call. */
export function vaultSeal(vaults: VaultSet) {
  return {
    seal: (pid: ProjectId) => vaults.sound(pid, seal, needsMendingAnywhere),
    checkSeal: (pid: ProjectId) => vaults.sound(pid, checkSeal),
  };
}
