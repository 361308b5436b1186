import type { CallRecord, FailureReason } from './agent-call.ts';
import type { AgentResult } from './agent-results.ts';
import type { PathText } from './byte-path.ts';
import type { LeftOutReason } from './commit.ts';
import type { ErrorCode } from './errors.ts';
import type { Gate, RecoveryOption } from './events.ts';
import type { FindingText } from './finding.ts';
import type { CallId, CompanyId, Oid, ProjectId, RunId, UnitId } from './ids.ts';
import type { Settings } from './project.ts';
import type { Team } from './team.ts';
import type { IntegrationReport, UnitReport } from './verdicts.ts';

export type LeftOutText = PathText & { readonly reason: LeftOutReason };
export type ChangeText = PathText & { readonly change: string };

/** What the project is found in when it starts to run. */
export interface Surroundings {
  readonly head: Oid;
  readonly sandboxed: boolean;
}

/** What a person asks for. */
export type Command =
  | ({ readonly kind: 'run.requested'; readonly units: readonly UnitId[] } & Surroundings)
  | { readonly kind: 'pause.requested' }
  | ({ readonly kind: 'resume.requested' } & Surroundings)
  | { readonly kind: 'cancel.requested' }
  | { readonly kind: 'gate.approved'; readonly gate: Gate; readonly note?: string }
  | { readonly kind: 'gate.rejected'; readonly gate: Gate; readonly note?: string }
  | { readonly kind: 'feedback.given'; readonly text: string }
  | { readonly kind: 'sign_off.requested'; readonly user: string }
  | { readonly kind: 'abandon.requested'; readonly reason: string };

/** How an agent call ended. */
export type CallOutcome =
  | {
      readonly kind: 'call.completed';
      readonly key: CallId;
      readonly result: AgentResult;
      readonly record: CallRecord;
      /** Tree of the unit's tests/ after a Tester's call. */
      readonly tests_tree?: Oid;
    }
  | {
      readonly kind: 'call.failed';
      readonly key: CallId;
      readonly reason: FailureReason;
      readonly detail: string;
      readonly record: CallRecord;
    }
  | { readonly kind: 'call.interrupted'; readonly key: CallId; readonly record?: CallRecord };

/** How a run of the server's own ended. */
export type RunOutcome =
  | {
      readonly kind: 'unit.tested';
      readonly key: CallId;
      readonly run: RunId;
      readonly report: UnitReport;
      readonly code_tree: Oid;
      readonly tests_tree: Oid;
    }
  | {
      readonly kind: 'integration.ran';
      readonly key: CallId;
      readonly run: RunId;
      readonly report: IntegrationReport;
    }
  | { readonly kind: 'run.interrupted'; readonly key: CallId };

/** How a write to the repository ended. */
export type WriteOutcome =
  | {
      readonly kind: 'commit.landed';
      readonly key: string;
      readonly sha: Oid;
      readonly tag?: string;
      readonly left_out: readonly LeftOutText[];
    }
  | { readonly kind: 'attempt.saved'; readonly key: string; readonly sha: Oid }
  | { readonly kind: 'write.failed'; readonly key: string; readonly code: ErrorCode; readonly detail: string }
  /** The unit's files are no longer those that were tested. */
  | { readonly kind: 'work.moved'; readonly key: string };

/** What boot found, and how it was settled. */
export type RecoveryEvent =
  | { readonly kind: 'project.interrupted' }
  | {
      readonly kind: 'boot.scanned';
      readonly head: Oid;
      readonly repaired: readonly string[];
      readonly problems: readonly string[];
    }
  | { readonly kind: 'recovery.found'; readonly snapshot: string; readonly files: readonly ChangeText[] }
  | { readonly kind: 'recovery.chosen'; readonly action: RecoveryOption; readonly snapshot: string }
  | {
      readonly kind: 'recovery.settled';
      readonly action: RecoveryOption | 'clean';
      readonly snapshot: string;
      readonly rescue?: string;
      readonly sha?: Oid;
    };

export type Created = {
  readonly kind: 'project.created';
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  readonly name?: string;
  readonly requirement: string;
  readonly team: Team;
  readonly settings: Settings;
};

/** An effect that could not be carried out for a reason outside of the agents' work. */
export type EffectFailed = {
  readonly kind: 'effect.failed';
  readonly key: string;
  readonly code: ErrorCode;
  readonly detail: string;
};

/** What a look at a commit, a while after it was made, has come to. */
export type SecretsFound = {
  readonly kind: 'secrets.found';
  readonly sha: Oid;
  readonly findings: readonly FindingText[];
  /** How many there are; `findings` may be the first only. */
  readonly total: number;
  readonly not_scanned: number;
};

/** A repository that had to be put right while the server ran. */
export type VaultMended = { readonly kind: 'vault.mended'; readonly what: readonly string[] };

export type Happening =
  | Created
  | Command
  | CallOutcome
  | RunOutcome
  | WriteOutcome
  | RecoveryEvent
  | EffectFailed
  | SecretsFound
  | VaultMended
  | { readonly kind: 'server.stopping' };

/** What the journal holds: a happening with its time (ISO 8601, UTC). A project's state is the fold over these. */
export type LoopEvent = Happening & { readonly at: string };

/** One event of a kind. */
export type EventOf<Kind extends Happening['kind']> = Extract<Happening, { readonly kind: Kind }>;
