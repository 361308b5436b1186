import type { CallLimits, RoleInput } from './agent-call.ts';
import type { ArchitectResult, TriageResult } from './agent-results.ts';
import type { AttemptKey, CommitSpec, Trailer } from './commit.ts';
import type { RecoveryOption } from './events.ts';
import type { CallId, Oid, RunId, UnitId } from './ids.ts';
import type { Identity, Role } from './roles.ts';
import type { RoleTeam } from './team.ts';
import type { UnitOutcome } from './verdicts.ts';
import type { WriteScope } from './write-scope.ts';

/** A revision that files are made equal to before a call starts. */
export interface StartingPoint {
  readonly rev: string;
  readonly files: WriteScope;
}

export interface CallEffect {
  readonly kind: 'call_agent';
  readonly key: CallId;
  readonly role: Role;
  readonly input: RoleInput;
  readonly team: RoleTeam;
  readonly scope: WriteScope;
  readonly limits: CallLimits;
  readonly requirement: string;
  readonly round: number;
  readonly attempt: number;
  readonly unit: UnitId | undefined;
  /** The unit's own test command, for the run_tests tool. */
  readonly test_command: readonly string[] | undefined;
  readonly test_ms: number;
  readonly from: StartingPoint | undefined;
  /** The project's units. */
  readonly units: readonly UnitId[];
  /** How many pieces of feedback the input holds. */
  readonly feedback: number;
}

export interface TestEffect extends AttemptKey {
  readonly kind: 'test_unit';
  readonly key: CallId;
  readonly command: readonly string[];
  readonly promised: readonly string[];
  /** Tree of tests/ as the last Tester call left it. */
  readonly tests_tree: Oid;
  readonly test_ms: number;
  readonly output_bytes: number;
}

export interface IntegrationEffect {
  readonly kind: 'run_integration';
  readonly key: CallId;
  readonly round: number;
  readonly test_ms: number;
  readonly output_bytes: number;
}

/** A file of the server's own, written before the commit that takes it. */
export interface ServerFile {
  readonly path: string;
  readonly content: string;
}

/** What a commit stands for, and so what follows when it has landed. */
export type CommitPurpose =
  | { readonly kind: 'init' }
  | {
      readonly kind: 'prd';
      readonly call: CallId;
      readonly rev: number;
      readonly summary: string;
      readonly feedback: number;
    }
  | {
      readonly kind: 'sdd';
      readonly call: CallId;
      readonly mode: 'generate' | 'patch';
      readonly rev: number;
      readonly result: ArchitectResult;
      readonly affected: readonly UnitId[] | undefined;
      readonly note: string | undefined;
    }
  | { readonly kind: 'code'; readonly unit: UnitId; readonly calls: readonly CallId[] }
  | { readonly kind: 'integ'; readonly call: CallId; readonly run: RunId; readonly passed: boolean }
  | { readonly kind: 'triage'; readonly call: CallId; readonly run: RunId; readonly triage: TriageResult }
  | { readonly kind: 'ship' }
  | { readonly kind: 'sign_off' }
  | { readonly kind: 'abandon'; readonly reason: string };

export interface CommitEffect {
  readonly kind: 'commit';
  readonly key: string;
  readonly purpose: CommitPurpose;
  readonly spec: CommitSpec;
  readonly writes: readonly ServerFile[];
  /** Trees that were tested: the commit is not made where the disk has others by now. */
  readonly tested: { readonly unit: UnitId; readonly code_tree: Oid; readonly tests_tree: Oid } | undefined;
}

export interface SaveEffect extends AttemptKey {
  readonly kind: 'save_attempt';
  readonly key: string;
  readonly subject: string;
  readonly author: Identity;
  readonly trailers: readonly Trailer[];
  readonly files: WriteScope;
  readonly verdict: UnitOutcome | 'failed';
  readonly run: RunId | undefined;
  readonly calls: readonly CallId[];
  readonly writes: readonly ServerFile[];
}

export interface RecoverEffect {
  readonly kind: 'recover';
  readonly key: string;
  readonly action: Exclude<RecoveryOption, 'manual_inspect'>;
  readonly snapshot: string;
  /** The wip commit, where that was chosen. */
  readonly spec: CommitSpec;
}

/** Something to be done outside of the state; its outcome comes back as an event that names the key. */
export type Effect = CallEffect | TestEffect | IntegrationEffect | CommitEffect | SaveEffect | RecoverEffect;
export type WriteEffect = CommitEffect | SaveEffect;

/** The unit that an effect works on, where it is one unit's. */
export function unitOf(effect: Effect): UnitId | undefined {
  switch (effect.kind) {
    case 'call_agent':
    case 'test_unit':
    case 'save_attempt':
      return effect.unit;
    case 'commit':
      return effect.purpose.kind === 'code' ? effect.purpose.unit : undefined;
    case 'run_integration':
    case 'recover':
      return undefined;
  }
}

/** True for work that a pause or a cancel stops; writes are short and end by themselves. */
export function isAbortable(effect: Effect): boolean {
  return effect.kind === 'call_agent' || effect.kind === 'test_unit' || effect.kind === 'run_integration';
}

/** True for the commits that a person waits for: they are not tried again by themselves. */
export function isClosing({ kind }: CommitPurpose): boolean {
  return kind === 'init' || kind === 'sign_off' || kind === 'abandon';
}
