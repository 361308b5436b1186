import type { ProjectId } from '../domain/ids.ts';
import type { LockedVault } from './open-vault.ts';
import { checkSeal, seal } from './seal/seal.ts';
import { settleRefs } from './settle-refs.ts';
import type { VaultSet } from './vault-set.ts';

/** What stands around each agent call. */
export function vaultSeal(vaults: VaultSet) {
  const exclusive = <Result>(pid: ProjectId, work: (vault: LockedVault) => Promise<Result>): Promise<Result> =>
    vaults.exclusive(pid, async (vault) => {
      await settleRefs(vault);
      return work(vault);
    });
  return {
    seal: (pid: ProjectId) => exclusive(pid, seal),
    checkSeal: (pid: ProjectId) => exclusive(pid, checkSeal),
  };
}
