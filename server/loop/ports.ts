import type { AgentCaller } from '../domain/agent-call.ts';
import type { BytePath } from '../domain/byte-path.ts';
import type { Attempt, AttemptKey, CommitOutcome, CommitSpec, FileChange, Trailer } from '../domain/commit.ts';
import type { ProjectEvent } from '../domain/events.ts';
import type { CompanyId, Oid, ProjectId, RescueId, RunId, UnitId } from '../domain/ids.ts';
import type { IntegrationSpec } from '../domain/integration-spec.ts';
import type { LedgerEntry } from '../domain/ledger-entry.ts';
import type { Identity } from '../domain/roles.ts';
import type { IntegrationReport, UnitOutcome, UnitReport } from '../domain/verdicts.ts';
import type { WriteScope } from '../domain/write-scope.ts';

export type { LedgerEntry } from '../domain/ledger-entry.ts';

/** What the loop needs of the vault; GitVault implements it. Every writing call holds the project's mutex. */
export interface VaultPort {
  /** Makes the repository and its first commit; a repeated call (same key) returns the first head. */
  init(pid: ProjectId, first: CommitSpec): Promise<{ readonly head: Oid }>;
  head(pid: ProjectId): Promise<Oid>;
  commit(pid: ProjectId, spec: CommitSpec): Promise<CommitOutcome>;
  /** The sha that was committed under a key, where one was. */
  committed(pid: ProjectId, key: string): Promise<Oid | undefined>;
  saveAttempt(pid: ProjectId, attempt: AttemptSpec): Promise<Attempt>;
  attempts(pid: ProjectId, unit?: UnitId): Promise<readonly Attempt[]>;
  /** Ids of folders' trees as they would be committed now, from the disk; the empty tree's id where a folder is absent. */
  treeIds(pid: ProjectId, folders: readonly BytePath[]): Promise<readonly Oid[]>;
  /** Makes the files in scope equal to a revision's; uncommitted content that this overwrites is kept in a rescue first. */
  restoreFiles(
    pid: ProjectId,
    from: { readonly rev: string; readonly files: WriteScope; readonly reason: string },
  ): Promise<{
    readonly rescue?: RescueId;
  }>;
  /** Differences between disk and HEAD; ledgers that only grew do not count. `snapshot` names exactly this state. */
  status(pid: ProjectId): Promise<VaultStatus>;
  resetWorkingTree(
    pid: ProjectId,
    options: { readonly ref: string; readonly reason: string },
  ): Promise<{ readonly rescue?: RescueId }>;
  /** Takes the working tree as it is now for the baseline that calls are judged against, unless one is held already. */
  takeBaseline(pid: ProjectId): Promise<void>;
  changesSinceBaseline(pid: ProjectId): Promise<readonly FileChange[]>;
  /** Moves the baseline on to the disk's state for the files in scope: after a call was judged, and after each write of the server's own. */
  advanceBaseline(pid: ProjectId, scope: WriteScope): Promise<void>;
  dropBaseline(pid: ProjectId): Promise<void>;
  /** Writes the baseline's content back over these paths; what was there is kept in a rescue first. */
  putBack(pid: ProjectId, paths: readonly BytePath[], reason: string): Promise<{ readonly rescue?: RescueId }>;
  /** Notes what `.git` is now (before a call), and compares (after it): names of what was changed, put back already. */
  seal(pid: ProjectId): Promise<void>;
  checkSeal(pid: ProjectId): Promise<readonly string[]>;
  /** What boot must know; stale locks are removed and unfinished ref transactions rolled forward by this call. */
  inspect(
    pid: ProjectId,
  ): Promise<{ readonly head: Oid; readonly repaired: readonly string[]; readonly problems: readonly string[] }>;
}

export interface AttemptSpec extends AttemptKey {
  readonly subject: string;
  readonly author: Identity;
  readonly trailers: readonly Trailer[];
  readonly files: WriteScope;
  readonly verdict: UnitOutcome | 'failed';
  readonly run?: RunId;
}

export interface VaultStatus {
  readonly dirty: boolean;
  readonly files: readonly FileChange[];
  readonly snapshot: string;
}

export interface VerdictsPort {
  runUnit(input: UnitRunInput): Promise<UnitReport>;
  runIntegration(input: IntegrationRunInput): Promise<IntegrationReport>;
}

export interface RunLimits {
  readonly wall_ms: number;
  readonly output_bytes: number;
}

export interface UnitRunInput {
  /** Absolute path of the project's folder; the command runs in units/{unit}. */
  readonly root: string;
  readonly unit: UnitId;
  readonly command: readonly string[];
  /** Test ids promised by the Tester. */
  readonly promised: readonly string[];
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Absolute path of the file that gets the raw output. */
  readonly stdout_file?: string;
}

export interface IntegrationRunInput {
  readonly root: string;
  readonly spec: IntegrationSpec;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  /** Absolute paths. */
  readonly process_log: string;
  readonly trace_file: string;
}

export interface LedgersPort {
  /** Appends in order, durably, then publishes. `position` grows; an entry at or below the last position appended is not appended again. */
  append(pid: ProjectId, position: number, entry: LedgerEntry): Promise<void>;
  /** The last position that is in the ledgers; 0 where there is none. */
  position(pid: ProjectId): Promise<number>;
  /** Publishes an event that is kept in stream.log only. */
  publish(pid: ProjectId, event: ProjectEvent): void;
  /** Opens (repairs torn tails of) a project's ledgers; says what was set aside. */
  open(pid: ProjectId): Promise<{ readonly repaired: readonly string[] }>;
  close(pid: ProjectId): Promise<void>;
}

/** The durable note of what happened and what is in flight, outside of the agents' reach. Records are opaque JSON to it. */
export interface JournalPort {
  load(pid: ProjectId): Promise<readonly unknown[]>;
  /** Durable when it resolves. */
  append(pid: ProjectId, record: unknown): Promise<void>;
}

export interface ProjectFolder {
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  /** Absolute path of the project's folder. */
  readonly root: string;
}

export interface ProjectsPort {
  /** All projects in the data folder, by their folders; the same pid twice is an error that names both paths. */
  list(): Promise<readonly ProjectFolder[]>;
  find(pid: ProjectId): Promise<ProjectFolder | undefined>;
  create(cid: CompanyId, pid: ProjectId): Promise<ProjectFolder>;
  remove(pid: ProjectId): Promise<void>;
  /** Reads a file of the server's or an agent's below the project's folder, never through a link; undefined where it is absent. */
  read(pid: ProjectId, path: string, limit: number): Promise<Uint8Array | undefined>;
  /** Replaces a file whole; parents are made; never through a link. */
  write(pid: ProjectId, path: string, content: string | Uint8Array): Promise<void>;
  /** The same for a copy that readers look at: it waits for no disk, and a power cut may take it. */
  note(pid: ProjectId, path: string, content: string): Promise<void>;
  /** Appends to a server-owned file such as coder.log. */
  append(pid: ProjectId, path: string, content: string): Promise<void>;
  /** Content of templates/project/gitignore. */
  ignoreTemplate(): Promise<string>;
}

export interface LoopPorts {
  readonly vault: VaultPort;
  readonly agents: AgentCaller;
  readonly verdicts: VerdictsPort;
  readonly ledgers: LedgersPort;
  readonly journal: JournalPort;
  readonly projects: ProjectsPort;
  readonly clock: { now(): Date };
  readonly ids: { projectId(): ProjectId; runId(): RunId };
  readonly log: { warn(message: string, data?: Readonly<Record<string, unknown>>): void };
}
