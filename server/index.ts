/** The library `devloop`: the loop with its HTTP face over a data folder, and turns in a person's own folders. docs/library.md shows its use. */

export type { AgentManager } from './agents/index.ts';
export type { App, AppOptions } from './app.ts';
export type { AgentOutcome, FailureReason } from './domain/agent-call.ts';
export type { Attempt, CommitInfo, FileChange, TagInfo } from './domain/commit.ts';
export { DevLoopError, ERROR_CODES, type ErrorCode, isDevLoopError } from './domain/errors.ts';
export type { ProjectEvent } from './domain/events.ts';
export { type ProjectId, parseCompanyId, parseProjectId, parseRunId, parseUnitId, type UnitId } from './domain/ids.ts';
export { type Point, type PointAbout, type PointId, parsePointId, type TurnId } from './domain/point.ts';
export { DEFAULT_TEAM, type Team } from './domain/team.ts';
export type { Turn, TurnAbout } from './domain/turn.ts';
export type { RestoreReport, RestoreView } from './domain/workspace-restore.ts';
export {
  listPreTurnSnapshots,
  type PreTurnOptions,
  personalWorkspaces,
  type RunningTurn,
  restorePreTurn,
  runTurn,
} from './folder-turns.ts';
export type { LoopController, LoopService, NewProject, ProjectSummary, ProjectView } from './loop/index.ts';
export { openApp } from './open-app.ts';
export type { GitVault } from './vault/index.ts';
export type { Workspace, Workspaces } from './workspace/index.ts';
