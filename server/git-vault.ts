/** The library `devloop/git-vault`: the repositories of projects, without the loop. docs/library.md shows its use. */
export { type BytePath, bytePathFromText, type PathText, pathText } from './domain/byte-path.ts';
export type {
  Attempt,
  CommitInfo,
  CommitOutcome,
  CommitSpec,
  FileChange,
  TagInfo,
  TreeEntry,
} from './domain/commit.ts';
export { DevLoopError, ERROR_CODES, type ErrorCode, isDevLoopError } from './domain/errors.ts';
export { type Oid, type ProjectId, parseCompanyId, parseProjectId, parseUnitId } from './domain/ids.ts';
export { DEVLOOP, type Identity, ROLE_IDENTITY } from './domain/roles.ts';
export { type DataFolder, type GitVault, openDataFolder, openGitVault, ProjectFolders } from './vault/index.ts';
