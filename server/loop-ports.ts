import type { EventLedgers } from './events/index.ts';
import type { LoopPorts } from './loop/index.ts';
import type { GitVault, ProjectFolders } from './vault/index.ts';

/** What the loop needs of the projects' files: the part of the vault that no agent may touch includes the ledgers. */
export function filePorts(parts: {
  readonly vault: GitVault;
  readonly ledgers: EventLedgers;
  readonly projects: ProjectFolders;
}): Pick<LoopPorts, 'vault' | 'ledgers' | 'projects'> {
  const { vault, ledgers, projects } = parts;
  return {
    ledgers,
    vault: {
      ...vault,
      // What somebody changed before is no call's doing.
      seal: async (pid) => {
        await ledgers.repair(pid);
        await vault.seal(pid);
      },
      checkSeal: async (pid) => [...(await vault.checkSeal(pid)), ...(await ledgers.repair(pid))],
    },
    projects: {
      list: () => projects.list(),
      find: (pid) => projects.find(pid),
      create: (cid, pid) => projects.create(cid, pid),
      remove: async (pid) => {
        await projects.remove(pid);
        ledgers.forget(pid);
      },
      read: (pid, path, limit) => projects.read(pid, path, limit),
      write: (pid, path, content) => projects.write(pid, path, content),
      note: (pid, path, content) => projects.note(pid, path, content),
      append: (pid, path, content) => projects.append(pid, path, content),
      ignoreTemplate: () => projects.ignoreTemplate(),
    },
  };
}
