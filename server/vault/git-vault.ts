import { DevLoopError } from '../domain/errors.ts';
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
  const mirrors = new MirrorQueue(async (pid) => {
    try {
      await vaults.read(pid, syncMirror);
    } catch (error) {
      // The next agent call cannot begin without its mirror, and meets and tells what is wrong.
      if (!(error instanceof DevLoopError) && !isRefusal(error)) throw error;
    }
  });
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

/** What the system refused: the disk is full, or the project was deleted meanwhile. */
const isRefusal = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
