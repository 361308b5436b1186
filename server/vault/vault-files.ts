import type { BytePath } from '../domain/byte-path.ts';
import type { ProjectId, RescueId } from '../domain/ids.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { advanceBaseline, changesSinceBaseline, dropBaseline, takeBaseline } from './baseline.ts';
import { putBack } from './put-back.ts';
import { rescues } from './rescues.ts';
import { resetWorkingTree } from './reset-working-tree.ts';
import { restoreFiles } from './restore-files.ts';
import { restoreRescue } from './restore-rescue.ts';
import { endSeal } from './seal/seal.ts';
import { status } from './status.ts';
import type { VaultSet } from './vault-set.ts';

/** What looks at the files of a project and writes them back. */
export function vaultFiles(vaults: VaultSet) {
  return {
    status: (pid: ProjectId) => vaults.read(pid, status),
    restoreFiles: (
      pid: ProjectId,
      from: { readonly rev: string; readonly files: WriteScope; readonly reason: string },
    ) => vaults.write(pid, (vault) => restoreFiles(vault, from)),
    resetWorkingTree: (pid: ProjectId, to: { readonly ref: string; readonly reason: string }) =>
      vaults.write(pid, (vault) => resetWorkingTree(vault, to)),
    rescues: (pid: ProjectId) => vaults.read(pid, rescues),
    restoreRescue: (pid: ProjectId, id: RescueId) => vaults.write(pid, (vault) => restoreRescue(vault, id)),
    // The baseline is kept in the server's folder: nothing of it goes into `.git`, and no seal has to move on.
    takeBaseline: (pid: ProjectId) => vaults.exclusive(pid, takeBaseline),
    changesSinceBaseline: (pid: ProjectId) => vaults.read(pid, changesSinceBaseline),
    advanceBaseline: (pid: ProjectId, scope: WriteScope) =>
      vaults.exclusive(pid, (vault) => advanceBaseline(vault, scope)),
    /** With the last call's baseline its seal ends. */
    dropBaseline: (pid: ProjectId) =>
      vaults.exclusive(pid, async (vault) => {
        dropBaseline(vault);
        endSeal(vault);
      }),
    putBack: (pid: ProjectId, paths: readonly BytePath[], reason: string) =>
      vaults.write(pid, (vault) => putBack(vault, paths, reason)),
  };
}
