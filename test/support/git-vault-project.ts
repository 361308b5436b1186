import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CommitSpec } from '../../server/domain/commit.ts';
import type { FoundSecrets } from '../../server/domain/finding.ts';
import type { Oid } from '../../server/domain/ids.ts';
import { type GitVault, openGitVault } from '../../server/vault/git-vault.ts';
import { vaultNotes } from '../../server/vault/vault-notes.ts';
import { COMPANY, PROJECT, projectFolders } from './project-folders.ts';
import { commitSpec } from './project-vault.ts';
import { type RawGit, rawGit } from './raw-git.ts';
import { ROOT } from './running-server.ts';
import { scratchFolder } from './scratch-folder.ts';
import { writeBytesAt } from './shadow-place.ts';

/** One project in a data folder with the vault as the server has it, what works in the background included. */
export interface GitVaultProject {
  readonly vault: () => GitVault;
  readonly root: string;
  /** The server's own folder for the project. */
  readonly state: string;
  readonly git: RawGit;
  /** What the vault told of. */
  readonly told: FoundSecrets[];
  readonly put: (name: string, content: string | Uint8Array) => void;
  readonly commit: (change?: Partial<CommitSpec>) => Promise<Oid>;
  /** As after a restart of the server. */
  readonly reopen: () => Promise<void>;
}

/**
 * @param onFound runs before what was found is noted as told
 * @param onMended is told what was put right
 */
export async function gitVaultProject(
  t: TestContext,
  onFound = async (): Promise<void> => {},
  onMended: (what: readonly string[]) => void = () => {},
): Promise<GitVaultProject> {
  const dataDir = scratchFolder(t);
  mkdirSync(join(dataDir, 'companies'), { recursive: true });
  const folders = projectFolders(dataDir);
  const { root } = await folders.create(COMPANY, PROJECT);
  const told: FoundSecrets[] = [];
  const open = () =>
    openGitVault({
      locate: (pid) => folders.locate(pid),
      ahead: vaultNotes(dataDir),
      settings: { max_file_bytes: 50_000_000, now: () => new Date() },
      onFound: async (_pid, found) => {
        await onFound();
        told.push(found);
      },
      onMended: (_pid, what) => onMended(what),
    });
  let vault = open();
  t.after(() => vault.close());
  copyFileSync(join(ROOT, 'templates/project/gitignore'), join(root, '.gitignore'));
  writeBytesAt(root, 'project.json', '{}\n');
  await vault.init(PROJECT, commitSpec({ kind: 'init', files: ['project.json', '.gitignore'] }));
  return {
    vault: () => vault,
    root,
    state: (await folders.locate(PROJECT)).state,
    git: rawGit(root),
    told,
    put: (name, content) => writeBytesAt(root, name, content),
    commit: async (change) => {
      const outcome = await vault.commit(PROJECT, commitSpec(change));
      if (outcome.kind !== 'committed') throw new Error('nothing was committed');
      return outcome.sha;
    },
    reopen: async () => {
      await vault.close();
      vault = open();
    },
  };
}
