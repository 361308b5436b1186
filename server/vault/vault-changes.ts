import type { BytePath } from '../domain/byte-path.ts';
import type { CommitSpec } from '../domain/commit.ts';
import type { ProjectId } from '../domain/ids.ts';
import { commit } from './commit.ts';
import { init } from './init.ts';
import { recordedHead } from './open-vault.ts';
import { revert } from './revert/revert.ts';
import { type AttemptFiles, saveAttempt } from './save-attempt.ts';
import { type TagRequest, tag } from './tag.ts';
import { treeIds } from './tree-ids.ts';
import type { VaultSet } from './vault-set.ts';

/** What makes commits and moves refs: one call a project at a time. */
export function vaultChanges(vaults: VaultSet) {
  return {
    init: (pid: ProjectId, first: CommitSpec) => vaults.write(pid, (vault) => init(vault, first)),
    head: (pid: ProjectId) => vaults.read(pid, recordedHead),
    commit: (pid: ProjectId, spec: CommitSpec) => vaults.write(pid, (vault) => commit(vault, spec)),
    committed: (pid: ProjectId, key: string) => vaults.read(pid, ({ refs }) => refs.committed(key)?.sha),
    tag: (pid: ProjectId, name: string, options: Omit<TagRequest, 'name'> = {}) =>
      vaults.write(pid, (vault) => tag(vault, { ...options, name })),
    saveAttempt: (pid: ProjectId, work: AttemptFiles) => vaults.write(pid, (vault) => saveAttempt(vault, work)),
    revert: (pid: ProjectId, rev: string) => vaults.write(pid, (vault) => revert(vault, rev)),
    treeIds: (pid: ProjectId, folders: readonly BytePath[]) => vaults.read(pid, (vault) => treeIds(vault, folders)),
  };
}
