import type { BytePath } from '../domain/byte-path.ts';
import type { ProjectId, UnitId } from '../domain/ids.ts';
import { attempts } from './attempts.ts';
import { type BisectSearch, bisect } from './bisect/bisect.ts';
import { listTags } from './list-tags.ts';
import { type LogQuery, log } from './log.ts';
import { listFolder, readFile } from './read-tree.ts';
import { diff, show } from './show.ts';
import type { VaultSet } from './vault-set.ts';

type Ends = Parameters<typeof diff>[1];

/** What the vaults tell of their history. No call waits for one that writes. */
export function vaultHistory(vaults: VaultSet) {
  return {
    log: (pid: ProjectId, query: LogQuery = {}) => vaults.read(pid, (vault) => log(vault, query)),
    show: (pid: ProjectId, rev: string) => vaults.read(pid, (vault) => show(vault, rev)),
    tree: (pid: ProjectId, rev: string, folder: BytePath) =>
      vaults.read(pid, (vault) => listFolder(vault, rev, folder)),
    readFile: (pid: ProjectId, rev: string, path: BytePath) => vaults.read(pid, (vault) => readFile(vault, rev, path)),
    diff: (pid: ProjectId, ends: Ends) => vaults.read(pid, (vault) => diff(vault, ends)),
    listTags: (pid: ProjectId) => vaults.read(pid, listTags),
    attempts: (pid: ProjectId, unit?: UnitId) => vaults.read(pid, (vault) => attempts(vault, unit)),
    bisect: (pid: ProjectId, search: BisectSearch) => vaults.read(pid, (vault) => bisect(vault, search)),
  };
}
