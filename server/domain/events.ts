import type { FailureReason, Usage } from './agent-call.ts';
import type { TriageCategory } from './agent-results.ts';
import type { PathText } from './byte-path.ts';
import type { CommitKind, LeftOutReason } from './commit.ts';
import type { FindingText } from './finding.ts';
import type { CallId, Oid, ProjectId, RunId, UnitId } from './ids.ts';
import type { ProjectStatus } from './project.ts';
import type { Role } from './roles.ts';
import type { UnitOutcome } from './verdicts.ts';

export const RECOVERY_OPTIONS = ['commit_as_wip', 'reset_hard', 'manual_inspect'] as const;
export type RecoveryOption = (typeof RECOVERY_OPTIONS)[number];

export type UnitStatus = 'waiting' | 'coding' | 'testing' | 'green' | 'red' | 'failed';
export type Gate = 'prd' | 'sdd';

interface AtCall {
  readonly call: CallId;
  readonly role: Role;
  readonly unit?: UnitId;
  readonly attempt?: number;
  readonly round?: number;
}

/** Every event of a project, by its kind (the timeline's word). `EVENT_NAMES` has the names on the stream. */
export type ProjectEvent =
  | ({ readonly kind: 'agent_started'; readonly driver: string; readonly source?: 'scripted' | 'recorded' } & AtCall)
  | { readonly kind: 'agent_output'; readonly call: CallId; readonly text: string }
  | ({
      readonly kind: 'agent_finished';
      readonly duration_ms: number;
      readonly usage: Usage;
      readonly summary?: string;
    } & AtCall)
  | ({ readonly kind: 'agent_failed'; readonly reason: FailureReason; readonly detail: string } & AtCall)
  | {
      readonly kind: 'unit_status';
      readonly unit: UnitId;
      readonly status: UnitStatus;
      readonly round: number;
      readonly attempt?: number;
    }
  | {
      readonly kind: 'test_result';
      readonly unit: UnitId;
      readonly run: RunId;
      readonly round: number;
      readonly attempt: number;
      readonly outcome: UnitOutcome;
      readonly passed: number;
      readonly failed: number;
      readonly total: number;
      readonly first_failure?: { readonly id: string; readonly message: string };
    }
  | {
      readonly kind: 'integration_result';
      readonly run: RunId;
      readonly round: number;
      readonly outcome: 'pass' | 'fail' | 'environment';
      readonly passed: number;
      readonly total: number;
      readonly first_failure?: { readonly id: string; readonly message: string };
    }
  | {
      readonly kind: 'triage_done';
      readonly run: RunId;
      readonly category: TriageCategory;
      readonly confidence: number;
      readonly blamed_units: readonly UnitId[];
      readonly reason: string;
    }
  | {
      readonly kind: 'git_committed';
      /** The first 7 digits of the sha. */
      readonly ref: string;
      readonly sha: Oid;
      readonly commit: CommitKind;
      readonly summary: string;
      readonly left_out: readonly (PathText & { readonly reason: LeftOutReason })[];
    }
  | { readonly kind: 'git_tagged'; readonly tag: string; readonly sha: Oid }
  | { readonly kind: 'git_failed'; readonly commit: CommitKind; readonly code: string; readonly detail: string }
  | {
      readonly kind: 'attempt_saved';
      readonly unit: UnitId;
      readonly round: number;
      readonly attempt: number;
      readonly sha: Oid;
    }
  | {
      readonly kind: 'project_status';
      readonly status: ProjectStatus;
      readonly reason?: string;
      readonly detail?: string;
    }
  | {
      readonly kind: 'secret_found';
      /** The commit that brought them. */
      readonly sha: Oid;
      /** The first of them. */
      readonly findings: readonly FindingText[];
      readonly total: number;
      readonly not_scanned: number;
    }
  | { readonly kind: 'gate_waiting'; readonly gate: Gate }
  | { readonly kind: 'budget_exceeded'; readonly budget: string; readonly limit: number; readonly spent: number }
  | {
      readonly kind: 'recovery_dirty_tree';
      readonly pid: ProjectId;
      readonly snapshot: string;
      readonly files: readonly (PathText & { readonly change: string })[];
      readonly options: readonly RecoveryOption[];
    }
  | {
      readonly kind: 'recovery_settled';
      readonly action: RecoveryOption | 'clean';
      readonly snapshot: string;
      readonly rescue?: string;
    }
  | { readonly kind: 'vault_repaired'; readonly what: readonly string[] };

export type EventKind = ProjectEvent['kind'];

/** The name on the stream (SSE `event:`) for each kind. */
export const EVENT_NAMES: Readonly<Record<EventKind, string>> = {
  agent_started: 'agent.started',
  agent_output: 'agent.output',
  agent_finished: 'agent.finished',
  agent_failed: 'agent.failed',
  unit_status: 'unit.status',
  test_result: 'test.result',
  integration_result: 'integration.result',
  triage_done: 'triage.done',
  git_committed: 'git.committed',
  git_tagged: 'git.tagged',
  git_failed: 'git.failed',
  attempt_saved: 'attempt.saved',
  project_status: 'project.status',
  secret_found: 'secret.found',
  gate_waiting: 'gate.waiting',
  budget_exceeded: 'budget.exceeded',
  recovery_dirty_tree: 'recovery_dirty_tree',
  recovery_settled: 'recovery.settled',
  vault_repaired: 'vault.repaired',
};

/** Kinds that go to the stream only, not to timeline.ndjson. */
export const STREAM_ONLY: ReadonlySet<EventKind> = new Set(['agent_output']);
