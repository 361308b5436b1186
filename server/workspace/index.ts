/** The entry of workspace/: histories of folders that belong to somebody else. */
export type { Side, WorkspaceChange } from './changes.ts';
export type { OpenContent } from './file-reader.ts';
export type { KnownWorkspace } from './find-stores.ts';
export { identitiesOf as parseIdentities, newKey as newHistoryKey } from './histories/age.ts';
export { tryBucket } from './objects/try-bucket.ts';
export { type NewWorkspace, openWorkspaces, type Workspaces } from './open-workspaces.ts';
export type { Pruned } from './prune.ts';
export type { PrunedAll } from './prune-all.ts';
export type { ProtectStatus } from './status.ts';
export type { StoreCheck } from './verify.ts';
export type { Workspace } from './workspace.ts';
export type { WorkspaceOptions } from './workspace-options.ts';
