import { syncMirror } from './mirror.ts';
import { MirrorQueue } from './mirror-queue.ts';
import { vaultChanges } from './vault-changes.ts';
import { vaultExports } from './vault-exports.ts';
import { vaultFiles } from './vault-files.ts';
import { vaultHistory } from './vault-history.ts';
import { vaultSeal } from './vault-seal.ts';
import { VaultSet, type VaultSetOptions } from './vault-set.ts';

/** The repositories of all projects. Every call throws `project_not_found` for an unknown project. */
export type GitVault = ReturnType<typeof openGitVault>;

/** Opens the vaults of a data folder: each when it is first asked for. */
export function openGitVault(options: VaultSetOptions) {
  const vaults: VaultSet = new VaultSet({ ...options, onWrite: (pid) => mirrors.note(pid) });
  const mirrors = new MirrorQueue((pid) => vaults.read(pid, syncMirror));
  return {
    ...vaultHistory(vaults),
    ...vaultChanges(vaults),
    ...vaultExports(vaults),
    ...vaultFiles(vaults),
    ...vaultSeal(vaults),
    /** Ends what runs for the vaults and keeps what was learned. */
    close: () => {
      mirrors.stop();
      vaults.close();
    },
  };
}
