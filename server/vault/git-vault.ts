import { vaultChanges } from './vault-changes.ts';
import { vaultFiles } from './vault-files.ts';
import { vaultHistory } from './vault-history.ts';
import { VaultSet, type VaultSetOptions } from './vault-set.ts';

/** The repositories of all projects. Every call throws `project_not_found` for an unknown project. */
export type GitVault = ReturnType<typeof openGitVault>;

/** Opens the vaults of a data folder: each when it is first asked for. */
export function openGitVault(options: VaultSetOptions) {
  const vaults = new VaultSet(options);
  return {
    ...vaultHistory(vaults),
    ...vaultChanges(vaults),
    ...vaultFiles(vaults),
    /** Ends what runs for the vaults and keeps what was learned. */
    close: () => vaults.close(),
  };
}
