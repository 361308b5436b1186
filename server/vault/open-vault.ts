import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanyId, Oid, ProjectId } from '../domain/ids.ts';
import { type ObjectReader, openObjectReader } from '../git/object-reader.ts';
import { type ObjectStore, openObjectStore } from '../git/objects/object-store.ts';
import { ensureShadowDir } from '../git/shadow-dir.ts';
import { type RefsRecord, readRefsRecord } from './refs-record.ts';

/** Where a project's folder is. */
export interface VaultFolder {
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  /** Absolute path of the project's folder. */
  readonly root: string;
}

export interface VaultSettings {
  /** Larger files are left out of commits and rescues, and named; bytes. */
  readonly max_file_bytes: number;
  readonly now: () => Date;
}

/** A project's repository with everything that is kept open for it. Paths are absolute. */
export interface OpenVault extends VaultFolder {
  /** The server's own folder for this project, out of the agents' reach: data/.devloop/vaults/{cid}/{pid}. */
  readonly state: string;
  /** The project's `.git`. */
  readonly gitDir: string;
  /** The git dir that git processes are run on. */
  readonly shadow: string;
  readonly objects: ObjectStore;
  readonly reader: ObjectReader;
  /** What the refs are by the server's own record. */
  readonly refs: RefsRecord;
  readonly settings: VaultSettings;
}

declare const locked: unique symbol;

/** A vault whose project mutex is held: what writing functions take. */
export type LockedVault = OpenVault & { readonly [locked]: true };

/** Opens the parts of one vault; git is not started before something is read. */
export function openVault(folder: VaultFolder, dataDir: string, settings: VaultSettings): OpenVault {
  const state = vaultState(dataDir, folder);
  const gitDir = join(folder.root, '.git');
  mkdirSync(state, { recursive: true });
  const shadow = ensureShadowDir({ gitDir, stateDir: state });
  return {
    ...folder,
    state,
    gitDir,
    shadow,
    objects: openObjectStore(join(gitDir, 'objects')),
    reader: openObjectReader(shadow),
    refs: readRefsRecord(state),
    settings,
  };
}

export function vaultState(dataDir: string, folder: VaultFolder): string {
  return join(dataDir, '.devloop', 'vaults', folder.cid, folder.pid);
}

/** What `refs/heads/main` is by the record; undefined before the first commit. */
export function recordedHead(vault: OpenVault): Oid | undefined {
  return vault.refs.get('refs/heads/main');
}
