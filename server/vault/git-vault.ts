import { Background } from './background.ts';
import type { OnFound } from './findings/secret-scans.ts';
import { vaultChanges } from './vault-changes.ts';
import { vaultExports } from './vault-exports.ts';
import { vaultFiles } from './vault-files.ts';
import { vaultFindings } from './vault-findings.ts';
import { vaultGuard } from './vault-guard.ts';
import { vaultHistory } from './vault-history.ts';
import { VaultSet, type VaultSetOptions } from './vault-set.ts';

/** The repositories of all projects. Every call throws `project_not_found` for an unknown project. */
export type GitVault = ReturnType<typeof openGitVault>;

export interface GitVaultOptions extends VaultSetOptions {
  /** Is told of each secret that a commit brought, once; a kill may have it told twice. */
  readonly onFound?: OnFound;
}

/** Opens the vaults of a data folder: each when it is first asked for. */
export function openGitVault({ onFound = async () => {}, ...options }: GitVaultOptions) {
  const vaults: VaultSet = new VaultSet({ ...options, onWrite: (pid) => background.note(pid) });
  const background = new Background(() => vaults, onFound);
  return {
    ...vaultHistory(vaults),
    ...vaultChanges(vaults),
    ...vaultExports(vaults, background.scans),
    ...vaultFindings(vaults, background.scans),
    ...vaultFiles(vaults),
    ...vaultGuard(vaults),
    /** Ends what runs for the vaults, once their mirrors hold all, and keeps what was learned. */
    close: async () => {
      await background.close();
      await vaults.settled();
      vaults.close();
    },
  };
}
