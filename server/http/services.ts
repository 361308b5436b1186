import type { Readable } from 'node:stream';
import type { ArchiveManifest } from '../domain/archive-manifest.ts';
import type { BytePath } from '../domain/byte-path.ts';
import type { Attempt, CommitInfo, FileChange, RescueInfo, TagInfo, TreeEntry } from '../domain/commit.ts';
import type { Finding, FindingKey, NotScanned } from '../domain/finding.ts';
import type { Oid, ProjectId, RescueId, UnitId } from '../domain/ids.ts';
import type { Remote } from '../domain/remote.ts';
import type { LoopService } from '../loop/index.ts';
import type { ARCHIVE_FORMATS } from './schemas/commit.ts';
import type { WorkspaceService } from './workspace-service.ts';

/** What HTTP asks of the rest of the house. */
export interface HttpServices {
  readonly loop: LoopService;
  readonly vault: VaultService;
  readonly workspaces: WorkspaceService;
  readonly feed: FeedService;
  readonly health: HealthService;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque; absent on the last page. */
  readonly next?: string;
}

export interface LogQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** ISO 8601. */
  readonly since?: string;
  /** Plain text that the message holds. */
  readonly grep?: string;
  readonly path?: BytePath;
  /** Plain text that the author's name or email holds. */
  readonly author?: string;
}

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** A revision as `parseRevName` lets it through. */
export type RevName = string;

/** What became of files that were to be written back. */
export interface Restored {
  /** Holds what was overwritten. */
  readonly rescue?: RescueId;
  /** Differs still, with the reason. */
  readonly left: readonly { readonly path: BytePath; readonly reason: string }[];
}

/** Reading, and what a person may do to a project's repository. Every call throws project_not_found for an unknown project. */
export interface VaultService {
  log(pid: ProjectId, query: LogQuery): Promise<Page<CommitInfo>>;
  show(pid: ProjectId, rev: RevName): Promise<{ readonly commit: CommitInfo; readonly files: readonly FileChange[] }>;
  tree(pid: ProjectId, rev: RevName, folder: BytePath): Promise<readonly TreeEntry[]>;
  readFile(pid: ProjectId, rev: RevName, path: BytePath): Promise<{ readonly oid: Oid; readonly content: Uint8Array }>;
  diff(
    pid: ProjectId,
    ends: { readonly from: RevName; readonly to: RevName; readonly path?: BytePath },
  ): Promise<{ readonly patch: Uint8Array; readonly files: readonly FileChange[] }>;
  listTags(pid: ProjectId): Promise<readonly TagInfo[]>;
  tag(
    pid: ProjectId,
    name: string,
    options: { readonly ref: RevName; readonly message?: string },
  ): Promise<{ readonly name: string; readonly sha: Oid }>;
  attempts(pid: ProjectId, unit?: UnitId): Promise<readonly Attempt[]>;
  status(
    pid: ProjectId,
  ): Promise<{ readonly dirty: boolean; readonly files: readonly FileChange[]; readonly snapshot: string }>;
  /** The same files with their lines: what a commit of all of them would bring. */
  statusDiff(pid: ProjectId): Promise<{ readonly patch: Uint8Array; readonly files: readonly FileChange[] }>;
  /** A stream that fails where the archive cannot be finished. */
  archive(
    pid: ProjectId,
    rev: RevName,
    options: { readonly format: ArchiveFormat; readonly prefix?: string; readonly signal: AbortSignal },
  ): Promise<Readable>;
  bundle(pid: ProjectId, options: { readonly signal: AbortSignal }): Promise<Readable>;
  rescues(pid: ProjectId): Promise<readonly RescueInfo[]>;
  restoreRescue(pid: ProjectId, id: RescueId): Promise<Restored>;
  resetWorkingTree(pid: ProjectId, options: { readonly ref: RevName; readonly reason: string }): Promise<Restored>;
  revert(pid: ProjectId, rev: RevName): Promise<RevertOutcome>;
  bisect(pid: ProjectId, search: BisectSearch): Promise<BisectOutcome>;
  /** One exchange of `git clone` or `git fetch`, as git's smart protocol over HTTP has it; attempts and rescues are hidden. */
  uploadPack(pid: ProjectId, request: UploadPackRequest): Promise<Readable>;
  /** What an archive of a revision holds. */
  manifest(pid: ProjectId, rev: RevName, signal: AbortSignal): Promise<ArchiveManifest>;
  /** Each secret once, as the commit that brought it has it, oldest first. */
  findings(
    pid: ProjectId,
  ): Promise<{ readonly findings: readonly ListedFinding[]; readonly not_scanned: readonly NotScanned[] }>;
  /** Throws not_found. */
  allowFinding(pid: ProjectId, key: FindingKey): Promise<ListedFinding>;
  verify(pid: ProjectId, signal: AbortSignal): Promise<{ readonly problems: readonly string[] }>;
  remotes(pid: ProjectId): Promise<readonly Remote[]>;
  /** Adds one, or gives the one of this name another address. Throws validation_failed. */
  addRemote(pid: ProjectId, remote: Remote): Promise<Remote>;
  /** Throws not_found, findings_open, remote_refused. The token is used once. */
  push(
    pid: ProjectId,
    options: {
      readonly remote: string;
      readonly branch: string;
      readonly tags: boolean;
      readonly token?: string;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly { readonly ref: string; readonly outcome: 'made' | 'moved' | 'same' }[]>;
  /** Packs the objects, and takes rescues and attempts off the list that were kept long enough after the project's end. */
  maintain(pid: ProjectId): Promise<{ readonly packed: boolean; readonly expired: readonly string[] }>;
}

export interface ListedFinding extends Finding {
  /** Whether it keeps the project from leaving. */
  readonly open: boolean;
}

export type UploadPackRequest = (
  | { readonly kind: 'advertise' }
  /** The body that the client sent, as it is. */
  | { readonly kind: 'exchange'; readonly body: Uint8Array }
) & { readonly signal: AbortSignal };

export type RevertOutcome =
  | { readonly kind: 'reverted'; readonly sha: Oid }
  | { readonly kind: 'conflict'; readonly files: readonly BytePath[] }
  | { readonly kind: 'already_reverted' };

export interface BisectSearch {
  readonly good: RevName;
  readonly bad: RevName;
  /** A unit's tests, or an integration case. */
  readonly check: { readonly unit: UnitId } | { readonly case: string };
  readonly signal: AbortSignal;
}

export interface BisectOutcome {
  readonly first_bad: CommitInfo;
  readonly tried: readonly { readonly sha: Oid; readonly verdict: 'good' | 'bad' | 'skipped' }[];
}

/** One event as it goes on the stream. The object is shared by all readers of it. */
export interface StreamEvent {
  readonly kind: 'event';
  readonly id: string;
  /** The name on the stream, as `git.committed`. */
  readonly name: string;
  /** One line of JSON. */
  readonly data: string;
}

/** What came before `oldest` is not kept any more. */
export interface StreamReset {
  readonly kind: 'reset';
  readonly oldest: string;
}

export type StreamItem = StreamEvent | StreamReset;

export interface TimelineLine {
  readonly seq: number;
  readonly ts: string;
  readonly source: string;
  readonly kind: string;
  readonly [payload: string]: unknown;
}

export interface FeedService {
  /**
   * Replays what is kept after an id, then follows; without one it follows from now. A pull takes what has come since the
   * last one, oldest first, and waits where nothing has. It ends with the signal. Throws where the log cannot be opened.
   */
  follow(pid: ProjectId, from: FollowFrom): Promise<AsyncIterable<readonly StreamItem[]>>;
  /** The same for all projects, with ids of its own. */
  followAll(from: FollowFrom): AsyncIterable<readonly StreamItem[]>;
  /** Ascending by seq, after a seq; at most `limit`. */
  timeline(pid: ProjectId, range: { readonly after: number; readonly limit: number }): Promise<readonly TimelineLine[]>;
}

export interface FollowFrom {
  readonly after?: string;
  readonly signal: AbortSignal;
}

export interface HealthCheck {
  readonly name: 'git' | 'data_folder' | 'disk';
  readonly ok: boolean;
  readonly detail?: string;
}

export interface HealthService {
  check(): Promise<readonly HealthCheck[]>;
}
