import type { AgentResult } from './agent-results.ts';
import type { CallId, ProjectId, RunId, UnitId } from './ids.ts';
import type { Role } from './roles.ts';
import type { RoleTeam } from './team.ts';
import type { IntegrationReport, UnitReport } from './verdicts.ts';
import type { WriteScope } from './write-scope.ts';

/** Why an agent call failed. */
export const FAILURE_REASONS = [
  'agent_error',
  'bad_output',
  'no_change',
  'timeout_idle',
  'timeout_wall',
  'output_limit',
  'budget',
  'cancelled',
  'scope_violation',
  'vault_tampered',
  'refused',
  'not_started',
  'replay_diverged',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Tokens and money of one call; absent where the agent reports none. */
export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** US dollars. */
  readonly cost?: number;
}

export interface CallLimits {
  readonly wall_ms: number;
  readonly idle_ms: number;
  readonly output_bytes: number;
  readonly write_bytes: number;
}

/** What a role is given besides the files; JSON, in the prompt. */
export type RoleInput =
  | {
      readonly role: 'pm';
      readonly requirement: string;
      readonly prd_rev: number;
      readonly feedback: readonly string[];
      readonly triage_reason?: string;
    }
  | {
      readonly role: 'architect';
      readonly mode: 'generate' | 'patch';
      readonly sdd_rev: number;
      readonly prd_rev: number;
      readonly affected_units: readonly UnitId[];
      readonly note?: string;
    }
  | {
      readonly role: 'coder';
      readonly unit: UnitId;
      readonly title: string;
      readonly attempt: number;
      readonly round: number;
      /** The last red run of this unit, in parsed form. */
      readonly last_report?: UnitReport;
      readonly triage_reason?: string;
    }
  | {
      readonly role: 'tester';
      readonly unit: UnitId;
      readonly title: string;
      readonly attempt: number;
      readonly round: number;
      readonly test_command: readonly string[];
      readonly triage_reason?: string;
    }
  | { readonly role: 'integrator'; readonly run: RunId; readonly round: number; readonly report: IntegrationReport }
  | { readonly role: 'bug-triager'; readonly run: RunId; readonly round: number; readonly report: IntegrationReport };

/** Everything AgentManager needs to make one call. */
export interface AgentContext {
  readonly pid: ProjectId;
  readonly call: CallId;
  /** Absolute path of the project's folder, where the agent works. */
  readonly root: string;
  readonly team: RoleTeam;
  readonly scope: WriteScope;
  readonly limits: CallLimits;
  /** Round and attempt, as the recording counts them; 1 where the role has none. */
  readonly round: number;
  readonly attempt: number;
  readonly unit?: UnitId;
  readonly requirement: string;
  readonly signal: AbortSignal;
  /** Runs the unit's own test command (the run_tests tool), where the role may. */
  readonly runTests?: () => Promise<UnitReport>;
  readonly onOutput: (text: string) => void;
}

export interface CallRecord {
  readonly driver: string;
  readonly model?: string;
  /** Set where the decisions were replayed: written by hand or recorded from a live model. */
  readonly source?: 'scripted' | 'recorded';
  /** Which bounds were on: sandbox, command guard, … */
  readonly layers: readonly string[];
  readonly usage: Usage;
  readonly duration_ms: number;
  /** Digest of the role's prompt, 12 hex digits. */
  readonly prompt?: string;
}

export type AgentOutcome =
  | { readonly kind: 'completed'; readonly result: AgentResult; readonly record: CallRecord }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string; readonly record: CallRecord };

export interface AgentCaller {
  callAgent(role: Role, input: RoleInput, context: AgentContext): Promise<AgentOutcome>;
}
