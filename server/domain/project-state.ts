import type { CallRecord, FailureReason, Usage } from './agent-call.ts';
import type { AgentResult, TriageResult } from './agent-results.ts';
import type { Effect, WriteEffect } from './effect.ts';
import type { Gate } from './events.ts';
import type { CallId, CompanyId, Oid, ProjectId, RunId, UnitId } from './ids.ts';
import type { ChangeText } from './loop-event.ts';
import type { ProjectStatus, Settings } from './project.ts';
import type { Role } from './roles.ts';
import type { Team } from './team.ts';
import type { UnitState } from './unit-state.ts';
import type { IntegrationReport, UnitOutcome } from './verdicts.ts';

/** All that the loop knows of a project; the fold over its journal. Never stored. */
export interface ProjectState {
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  readonly name: string | undefined;
  readonly requirement: string;
  readonly team: Team;
  readonly settings: Settings;
  /** Whether the server that runs the project has a sandbox for programs. */
  readonly sandboxed: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly status: ProjectStatus;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly head: Oid | undefined;
  /** Landed revisions. */
  readonly revisions: { readonly prd: number; readonly sdd: number };
  readonly stage: Stage;
  /** In the order of the Architect's list. */
  readonly units: readonly UnitState[];
  /** Integration round, from 1. */
  readonly round: number;
  /** How many Architect works were begun; what their calls are counted by. */
  readonly designs: number;
  /** Rounds in a row that the triage put down to the environment. */
  readonly environment_rounds: number;
  /** Not yet in a PRD. */
  readonly feedback: readonly string[];
  /** Of the next call or write. */
  readonly counter: number;
  readonly calls: readonly CallState[];
  readonly runs: readonly RunState[];
  readonly bugs: readonly Bug[];
  readonly spent: Spent;
  /** What had been spent when a person let a blocked project go on; budgets count from here. `unpriced`: also calls of unknown cost. */
  readonly granted: {
    readonly tokens: number;
    readonly cost: number;
    readonly rounds: number;
    readonly unpriced: boolean;
  };
  readonly blocker: Blocker | undefined;
  /** Under way. */
  readonly inflight: readonly Effect[];
  /** Keys of those under way that were told to stop. */
  readonly aborting: readonly string[];
  /** Writes that failed and are to be made again. */
  readonly failed: readonly FailedWrite[];
  readonly recovery: Recovery | undefined;
}

/** What the project is working on. */
export type Stage =
  | { readonly kind: 'prd'; readonly task: Task; readonly triage_reason: string | undefined }
  | {
      readonly kind: 'sdd';
      readonly task: Task;
      readonly mode: 'generate' | 'patch';
      readonly affected: readonly UnitId[];
      readonly note: string | undefined;
    }
  | { readonly kind: 'gate'; readonly gate: Gate }
  | { readonly kind: 'units' }
  | { readonly kind: 'integration'; readonly task: Task; readonly run: IntegrationRun | undefined }
  | { readonly kind: 'triage'; readonly task: Task; readonly run: IntegrationRun }
  | { readonly kind: 'repair'; readonly triage: TriageResult }
  | { readonly kind: 'ship' }
  | { readonly kind: 'done' };

export type TaskStage = Extract<Stage, { readonly task: Task }>;

/** The work of PM, Architect, Integrator or BugTriager at one stage. */
export interface Task {
  /** Calls that failed so far. */
  readonly tries: number;
  /** HEAD when the first call of this task was made. */
  readonly base: Oid | undefined;
  /** The next call is one that was interrupted, or whose work was lost: its files start from `base`. */
  readonly again: boolean;
  readonly done: Done | undefined;
}

export interface Done {
  readonly call: CallId;
  readonly result: AgentResult;
  readonly record: CallRecord;
  readonly feedback: number;
}

export interface IntegrationRun {
  readonly run: RunId;
  readonly report: IntegrationReport;
}

export interface CallState {
  readonly call: CallId;
  readonly role: Role;
  readonly unit: UnitId | undefined;
  readonly round: number;
  readonly attempt: number;
  readonly status: 'running' | 'done' | 'failed' | 'interrupted';
  readonly driver: string;
  readonly started_at: string;
  readonly reason: FailureReason | undefined;
  readonly detail: string | undefined;
  readonly record: CallRecord | undefined;
  readonly sha: Oid | undefined;
}

export interface RunState {
  readonly run: RunId;
  readonly kind: 'unit' | 'integration';
  readonly unit: UnitId | undefined;
  readonly round: number;
  readonly attempt: number | undefined;
  readonly outcome: UnitOutcome | IntegrationReport['outcome'];
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly ts: string;
}

export interface Bug {
  readonly bug: string;
  readonly state: 'open' | 'fixed';
  readonly run: RunId;
  readonly category: string;
  readonly units: readonly UnitId[];
  readonly reason: string;
}

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** Why the project cannot go on without a person. */
export interface Blocker {
  readonly reason: string;
  readonly detail: string;
}

export interface FailedWrite {
  readonly effect: WriteEffect;
  readonly tries: number;
  readonly detail: string;
}

export interface Recovery {
  readonly snapshot: string;
  readonly files: readonly ChangeText[];
  readonly inspecting: boolean;
}

export const NEW_TASK: Task = { tries: 0, base: undefined, again: false, done: undefined };

export function addUsage(spent: Spent, usage: Usage): Spent {
  return {
    calls: spent.calls + 1,
    tokens: spent.tokens + (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
    cost: spent.cost + (usage.cost ?? 0),
  };
}

/** Finds a unit that must be there. */
export function unitState(state: ProjectState, id: UnitId): UnitState | undefined {
  return state.units.find((unit) => unit.id === id);
}

/** A state with one unit changed. */
export function withUnit(
  state: ProjectState,
  id: UnitId,
  change: (unit: UnitState) => Partial<UnitState>,
): ProjectState {
  return { ...state, units: state.units.map((unit) => (unit.id === id ? { ...unit, ...change(unit) } : unit)) };
}

/** A state whose stage's task is changed; the same where the stage has none. */
export function withTask(state: ProjectState, change: (task: Task) => Partial<Task>): ProjectState {
  if (!('task' in state.stage)) return state;
  return { ...state, stage: { ...state.stage, task: { ...state.stage.task, ...change(state.stage.task) } } };
}
