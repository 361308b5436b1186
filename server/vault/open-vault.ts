import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import type { OwnNotes, WriteAhead } from '../git/ahead/write-ahead.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { ObjectStore } from '../git/objects/object-store.ts';
import { makeFolders } from '../io/make-folders.ts';
import { openWorkingTree, type WorkingTree } from '../tree/index.ts';
import { GitAccess } from './git-access.ts';
import type { ProjectPlace } from './project-scan.ts';
import { openRefsRecord, type RefsRecord } from './refs-record.ts';
import { judgedRules, vaultRules } from './vault-rules.ts';

export interface VaultSettings {
  /** Larger files are left out of commits and rescues, and named; bytes. */
  readonly max_file_bytes: number;
  readonly now: () => Date;
}

/** A project's repository with everything that is kept open for it. Paths are absolute. */
export interface OpenVault extends ProjectPlace {
  /** The project's `.git`. */
  readonly gitDir: string;
  /** The git dir that git processes are run on; made when it is first asked for. */
  readonly shadow: string;
  readonly objects: ObjectStore;
  readonly reader: ObjectReader;
  /** What is on the disk, and what is remembered about it. */
  readonly tree: WorkingTree;
  /** The same by the rules that agent calls are judged by. */
  readonly judged: WorkingTree;
  /** What the refs are by the server's own record. */
  readonly refs: RefsRecord;
  /** Notes that make moves of refs durable before their files are; absent where each waits for its files. */
  readonly ahead: OwnNotes | undefined;
  readonly settings: VaultSettings;
  /** Ends what was started and keeps what was learned. */
  close(): void;
}

declare const locked: unique symbol;

/** A vault whose project mutex is held: what writing functions take. */
export type LockedVault = OpenVault & { readonly [locked]: true };

/** Opens the parts of one vault: the server's record is read, and nothing is started. */
export function openVault(place: ProjectPlace, settings: VaultSettings, notes?: WriteAhead): OpenVault {
  makeFolders(place.state);
  const gitDir = join(place.root, '.git');
  const git = new GitAccess(gitDir, place.state);
  const refs = openRefsRecord(place.state, gitDir, git.objects);
  const ahead = notes?.of(`${place.cid}/${place.pid}`);
  const tree = openWorkingTree({
    root: place.root,
    stateFile: join(place.state, 'stat-cache.bin'),
    rules: vaultRules(settings.max_file_bytes),
  });
  const judged = openWorkingTree({
    root: place.root,
    stateFile: join(place.state, 'baseline-cache.bin'),
    rules: judgedRules(settings.max_file_bytes),
  });
  return {
    ...place,
    gitDir,
    get shadow() {
      return git.shadow;
    },
    get reader() {
      return git.reader;
    },
    objects: git.objects,
    tree,
    judged,
    refs,
    ahead,
    settings,
    close() {
      git.close();
      tree.save();
      judged.save();
      if (ahead?.settling === undefined) refs.tell();
      refs.close();
    },
  };
}

/** What main is by the server's record. Throws `vault_damaged` before the first commit. */
export function recordedHead({ refs, pid }: OpenVault): Oid {
  const head = refs.get(MAIN);
  if (head !== undefined) return head;
  throw new DevLoopError('vault_damaged', `project ${pid} has no commit on record`, { data: { pid } });
}
