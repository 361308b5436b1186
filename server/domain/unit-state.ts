import type { CallRecord, FailureReason } from './agent-call.ts';
import type { UnitSpec } from './agent-results.ts';
import type { AttemptKey } from './commit.ts';
import type { UnitStatus } from './events.ts';
import type { CallId, Oid, RunId, UnitId } from './ids.ts';
import type { Role } from './roles.ts';
import type { UnitReport } from './verdicts.ts';

/** What the loop knows of a unit. */
export interface UnitState {
  readonly spec: UnitSpec;
  readonly id: UnitId;
  readonly status: UnitStatus;
  /** From 1. */
  readonly round: number;
  readonly attempt: number;
  readonly next: UnitWork;
  /** Which call begins the current attempt. */
  readonly first: 'code' | 'test';
  readonly again: boolean;
  /** HEAD when the round began; defined from its first call until green or failed. */
  readonly base: Oid | undefined;
  /** The last attempt that was saved since the unit was green. */
  readonly last_red: AttemptKey | undefined;
  /** Of the last attempt that was saved. */
  readonly last_report: UnitReport | undefined;
  readonly triage_reason: string | undefined;
  /** The last coder call of this round. */
  readonly coder: CoderWork | undefined;
  /** The tester call of this attempt. */
  readonly tester: TesterWork | undefined;
  readonly tested: TestedWork | undefined;
  readonly failure: CallFault | undefined;
  readonly last_run: RunId | undefined;
  readonly log: readonly LogSection[];
}

export type UnitWork = 'code' | 'test' | 'verify' | 'save' | 'commit' | 'none';

export interface CoderWork {
  readonly call: CallId;
  readonly attempt: number;
  readonly record: CallRecord;
  readonly summary: string;
}

export interface TesterWork {
  readonly call: CallId;
  readonly record: CallRecord;
  readonly promised: readonly string[];
  readonly tests_tree: Oid;
}

export interface TestedWork {
  readonly run: RunId;
  readonly report: UnitReport;
  readonly code_tree: Oid;
  readonly tests_tree: Oid;
}

export interface CallFault {
  readonly role: Role;
  readonly reason: FailureReason;
  readonly detail: string;
}

/** One attempt in units/{unit}/coder.log. */
export interface LogSection {
  readonly round: number;
  readonly attempt: number;
  readonly text: string;
}
