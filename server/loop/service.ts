import type { FailureReason, Usage } from '../domain/agent-call.ts';
import type { PathText } from '../domain/byte-path.ts';
import type { Gate, RecoveryOption, UnitStatus } from '../domain/events.ts';
import type { CallId, CompanyId, Oid, ProjectId, RunId, UnitId } from '../domain/ids.ts';
import type { ProjectStatus, Settings, SettingsInput } from '../domain/project.ts';
import type { Role } from '../domain/roles.ts';
import type { Team } from '../domain/team.ts';
import type { UnitOutcome } from '../domain/verdicts.ts';

/** What HTTP, the command line and the library ask of the loop; LoopController implements it. */
export interface LoopService {
  create(
    input: NewProject,
  ): Promise<{ readonly pid: ProjectId; readonly cid: CompanyId; readonly status: ProjectStatus; readonly head: Oid }>;
  list(): Promise<readonly ProjectSummary[]>;
  project(pid: ProjectId): Promise<ProjectView>;
  remove(pid: ProjectId): Promise<void>;
  /** Starts or continues. Throws already_running, recovery_pending, bad_state. `units` grants failed units a new round. */
  run(pid: ProjectId, options?: { readonly units?: readonly UnitId[] }): Promise<void>;
  pause(pid: ProjectId): Promise<void>;
  resume(pid: ProjectId): Promise<void>;
  cancel(pid: ProjectId): Promise<void>;
  approve(pid: ProjectId, gate: Gate, note?: string): Promise<void>;
  reject(pid: ProjectId, gate: Gate, note?: string): Promise<void>;
  feedback(pid: ProjectId, text: string): Promise<void>;
  signOff(pid: ProjectId, user: string): Promise<void>;
  abandon(pid: ProjectId, reason: string): Promise<void>;
  units(pid: ProjectId): Promise<readonly UnitView[]>;
  runs(pid: ProjectId): Promise<readonly RunView[]>;
  runResult(pid: ProjectId, run: RunId): Promise<RunView & { readonly result: unknown }>;
  recoveries(): Promise<readonly RecoveryView[]>;
  answerRecovery(
    pid: ProjectId,
    answer: { readonly action: RecoveryOption; readonly snapshot: string },
  ): Promise<{ readonly rescue?: string; readonly sha?: Oid }>;
  /** Resolves when the project is at rest: not running, no effect in flight. */
  settled(pid: ProjectId): Promise<ProjectView>;
}

export interface NewProject {
  readonly requirement: string;
  readonly name?: string;
  readonly company?: string;
  readonly team?: Team;
  readonly settings?: SettingsInput;
}

export interface ProjectSummary {
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  readonly name?: string;
  readonly requirement: string;
  readonly status: ProjectStatus;
  readonly reason?: string;
  readonly revisions: { readonly prd: number; readonly sdd: number };
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProjectView extends ProjectSummary {
  /** Absolute path of the project's folder. */
  readonly path: string;
  readonly detail?: string;
  /** What the person can do next, where it waits or is blocked. */
  readonly hint?: string;
  readonly gate?: Gate;
  /** Integration round, from 1. */
  readonly round: number;
  readonly units: readonly UnitView[];
  readonly calls: readonly CallView[];
  readonly spent: { readonly calls: number; readonly tokens: number; readonly cost: number };
  readonly settings: Settings;
  readonly team: Team;
  readonly head: Oid;
  readonly recovery?: RecoveryView;
}

export interface UnitView {
  readonly id: UnitId;
  readonly title: string;
  readonly depends_on: readonly UnitId[];
  readonly status: UnitStatus;
  readonly round: number;
  readonly attempt: number;
  readonly last_run?: RunId;
}

/** One agent call, running or ended. */
export interface CallView {
  readonly call: CallId;
  readonly role: Role;
  readonly unit?: UnitId;
  readonly round?: number;
  readonly attempt?: number;
  readonly status: 'running' | 'done' | 'failed' | 'interrupted';
  readonly reason?: FailureReason;
  readonly detail?: string;
  readonly driver?: string;
  readonly source?: 'scripted' | 'recorded';
  readonly layers?: readonly string[];
  readonly usage?: Usage;
  readonly started_at: string;
  readonly duration_ms?: number;
  /** The commit or attempt commit that holds its work. */
  readonly sha?: Oid;
}

export interface RunView {
  readonly run: RunId;
  readonly kind: 'unit' | 'integration';
  readonly unit?: UnitId;
  readonly round: number;
  readonly attempt?: number;
  readonly outcome: UnitOutcome | 'pass' | 'fail' | 'environment';
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly ts: string;
}

export interface RecoveryView {
  readonly pid: ProjectId;
  readonly snapshot: string;
  readonly files: readonly (PathText & { readonly change: string })[];
  readonly options: readonly RecoveryOption[];
  readonly inspecting: boolean;
}
