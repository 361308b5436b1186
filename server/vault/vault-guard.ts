import type { ProjectId } from '../domain/ids.ts';
import { inspect } from './inspect.ts';
import { type MaintainOptions, maintain } from './maintain.ts';
import { needsMendingAnywhere } from './needs-mending.ts';
import { checkSeal, seal } from './seal/seal.ts';
import type { VaultSet } from './vault-set.ts';
import { verify } from './verify.ts';

/** What keeps the repositories whole: around each agent call, at each start, once a day, and when somebody asks. */
export function vaultGuard(vaults: VaultSet) {
  return {
    seal: (pid: ProjectId) => vaults.sound(pid, seal, needsMendingAnywhere),
    checkSeal: (pid: ProjectId) => vaults.sound(pid, checkSeal),
    inspect: (pid: ProjectId) => vaults.exclusive(pid, inspect),
    verify: (pid: ProjectId, signal?: AbortSignal) => vaults.read(pid, (vault) => verify(vault, signal)),
    /** Besides, objects are packed after writes that made many. */
    maintain: (pid: ProjectId, options: MaintainOptions = {}) => vaults.write(pid, (vault) => maintain(vault, options)),
  };
}
