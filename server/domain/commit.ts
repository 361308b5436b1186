import type { BytePath } from './byte-path.ts';
import type { Oid, RescueId, RunId, UnitId } from './ids.ts';
import type { Identity } from './roles.ts';
import type { UnitOutcome } from './verdicts.ts';
import type { WriteScope } from './write-scope.ts';

export const COMMIT_KINDS = [
  'init',
  'prd',
  'sdd',
  'code',
  'integ',
  'triage',
  'ship',
  'chore',
  'wip',
  'revert',
] as const;
export type CommitKind = (typeof COMMIT_KINDS)[number];

export interface Trailer {
  readonly key: string;
  readonly value: string;
}

/** What is to be committed, and how it is signed. */
export interface CommitSpec {
  readonly kind: CommitKind;
  /** One clean line; the vault adds nothing to it. */
  readonly subject: string;
  readonly author: Identity;
  readonly trailers: readonly Trailer[];
  /** Nothing outside of it enters the commit. */
  readonly files: WriteScope;
  /** Makes a repeated commit return the first one's sha. */
  readonly key: string;
  readonly onEmpty: 'skip' | 'throw' | 'allow';
  /** An annotated tag made in the same transaction; where the name is taken for another commit, `.2`, `.3` … is appended. */
  readonly tag?: { readonly name: string; readonly message: string };
}

export type LeftOutReason =
  | 'ignored'
  | 'too_large'
  | 'secret_name'
  | 'special_file'
  | 'reserved_name'
  | 'unreadable'
  | 'vanished';

export interface LeftOut {
  readonly path: BytePath;
  readonly reason: LeftOutReason;
}

export type CommitOutcome =
  | {
      readonly kind: 'committed';
      readonly sha: Oid;
      /** True where the key had been committed before. */
      readonly repeated: boolean;
      readonly tag?: string;
      readonly left_out: readonly LeftOut[];
      /** Nested repositories whose files were saved as files. */
      readonly nested: readonly BytePath[];
    }
  | { readonly kind: 'nothing'; readonly left_out: readonly LeftOut[] };

export interface AttemptKey {
  readonly unit: UnitId;
  readonly round: number;
  readonly attempt: number;
}

export interface Attempt extends AttemptKey {
  readonly verdict: UnitOutcome | 'failed';
  /** refs/devloop/attempts/{unit}/{round}/{attempt} */
  readonly ref: string;
  readonly sha: Oid;
  readonly parent: Oid;
  readonly run?: RunId;
}

export interface CommitInfo {
  readonly sha: Oid;
  readonly parents: readonly Oid[];
  readonly subject: string;
  readonly author: Identity;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly trailers: Readonly<Record<string, string>>;
  /** Short names of branches and tags that point here. */
  readonly refs: readonly string[];
}

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'type' | 'mode';

export interface FileChange {
  readonly path: BytePath;
  readonly change: ChangeKind;
  /** Lines, absent for binary files. */
  readonly additions?: number;
  readonly deletions?: number;
}

export interface TagInfo {
  readonly name: string;
  /** The commit it points to. */
  readonly sha: Oid;
  readonly message: string;
  readonly ts: string;
}

export interface TreeEntry {
  readonly path: BytePath;
  readonly kind: 'file' | 'executable' | 'link' | 'folder' | 'gitlink';
  readonly oid: Oid;
  /** Bytes; absent for folders. */
  readonly size?: number;
}

export interface RescueInfo {
  readonly id: RescueId;
  readonly sha: Oid;
  readonly reason: string;
  readonly ts: string;
  readonly files: number;
}
