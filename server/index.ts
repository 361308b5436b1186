/** The library `devloop`: the loop with its HTTP face over a data folder. docs/library.md shows its use. */
export { type App, type AppOptions, openApp } from './app.ts';
export type { AgentOutcome, FailureReason } from './domain/agent-call.ts';
export type { Attempt, CommitInfo, FileChange, TagInfo } from './domain/commit.ts';
export { DevLoopError, ERROR_CODES, type ErrorCode, isDevLoopError } from './domain/errors.ts';
export type { ProjectEvent } from './domain/events.ts';
export { type ProjectId, parseCompanyId, parseProjectId, parseRunId, parseUnitId, type UnitId } from './domain/ids.ts';
export { DEFAULT_TEAM, type Team } from './domain/team.ts';
export type { LoopService, NewProject, ProjectSummary, ProjectView } from './loop/index.ts';
