import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CommitOutcome, CommitSpec } from '../../server/domain/commit.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { commit } from '../../server/vault/commit.ts';
import { init } from '../../server/vault/init.ts';
import { type Inspection, inspect } from '../../server/vault/inspect.ts';
import type { LockedVault, OpenVault } from '../../server/vault/open-vault.ts';
import { type ProjectPlace, placeOf } from '../../server/vault/project-scan.ts';
import { vaultNotes } from '../../server/vault/vault-notes.ts';
import { VaultSet } from '../../server/vault/vault-set.ts';
import { COMPANY, PROJECT } from './project-folders.ts';
import { type RawGit, rawGit } from './raw-git.ts';
import { ROOT } from './running-server.ts';
import { scratchFolder } from './scratch-folder.ts';
import { writeBytesAt } from './shadow-place.ts';

/** A project in a data folder with its vault, made as the server makes it. */
export interface ProjectVault extends ProjectPlace {
  readonly dataDir: string;
  readonly gitDir: string;
  readonly git: RawGit;
  /** Writes a file of the project; the name is bytes (latin1). */
  readonly put: (name: string, content?: string | Uint8Array) => void;
  /** Does work under the project's lock, and waits until all of it is on the disk. */
  readonly write: <Result>(work: (vault: LockedVault) => Promise<Result>) => Promise<Result>;
  /** Does work that only reads. */
  readonly read: <Result>(work: (vault: OpenVault) => Promise<Result>) => Promise<Result>;
  /** The same without what goes before and after a write. */
  readonly exclusive: <Result>(work: (vault: LockedVault) => Promise<Result>) => Promise<Result>;
  /** What boot does. */
  readonly inspect: () => Promise<Inspection>;
  readonly commit: (change?: Partial<CommitSpec>) => Promise<Extract<CommitOutcome, { kind: 'committed' }>>;
  /** As after a restart of the server: nothing is remembered. */
  readonly reopen: () => void;
}

const NOW = Date.parse('2026-01-02T03:04:05Z');

let keys = 0;

export function commitSpec(change: Partial<CommitSpec> = {}): CommitSpec {
  const key = `call-${++keys}`;
  const author = { name: 'Coder Agent', email: 'coder@devloop.local' };
  const trailers = [{ key: 'DevLoop-Call', value: key }];
  return {
    kind: 'code',
    subject: 'code(a): implement · attempt 1',
    author,
    trailers,
    files: ['**'],
    key,
    onEmpty: 'skip',
    ...change,
  };
}

/** Makes the folder and, unless told otherwise, the repository with its first commit. */
export async function projectVault(
  t: TestContext,
  options: { readonly bare?: true; readonly dataName?: string } = {},
): Promise<ProjectVault> {
  const dataDir = join(scratchFolder(t), options.dataName ?? 'data');
  const place = placeOf(dataDir, COMPANY, PROJECT);
  mkdirSync(place.root, { recursive: true });
  copyFileSync(join(ROOT, 'templates/project/gitignore'), join(place.root, '.gitignore'));
  let ticks = 0;
  const settings = { max_file_bytes: 1_000_000, now: () => new Date(NOW + 1000 * ticks++) };
  const open = () => new VaultSet({ locate: async () => place, settings, ahead: vaultNotes(dataDir) });
  let vaults = open();
  t.after(() => vaults.close());
  const write: ProjectVault['write'] = async (work) => {
    const result = await vaults.write(PROJECT, work);
    await vaults.settled();
    return result;
  };
  const project: ProjectVault = {
    ...place,
    dataDir,
    gitDir: join(place.root, '.git'),
    git: rawGit(place.root),
    put: (name, content = `${name}\n`) => writeBytesAt(place.root, name, content),
    write,
    read: (work) => vaults.read(PROJECT, work),
    exclusive: (work) => vaults.exclusive(PROJECT, work),
    inspect: () => vaults.exclusive(PROJECT, inspect),
    commit: async (change) => {
      const outcome = await write((vault) => commit(vault, commitSpec(change)));
      if (outcome.kind !== 'committed') throw new Error('nothing was committed');
      return outcome;
    },
    reopen: () => {
      vaults.close();
      vaults = open();
    },
  };
  if (options.bare) return project;
  project.put('project.json', '{}\n');
  const first = commitSpec({
    kind: 'init',
    subject: 'init: project',
    author: DEVLOOP,
    files: ['project.json', '.gitignore'],
  });
  await write((vault) => init(vault, first));
  return project;
}
