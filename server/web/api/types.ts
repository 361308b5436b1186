/** What the page sends and gets: the server's schemas, as types only. */
import type { z } from 'zod';
import type * as commits from '../../http/schemas/commit.ts';
import type { timelineLine } from '../../http/schemas/events.ts';
import type { findingList } from '../../http/schemas/finding.ts';
import type * as answers from '../../http/schemas/project-answer.ts';
import type * as wishes from '../../http/schemas/project-request.ts';
import type * as folders from '../../http/schemas/workspace-answer.ts';
import type * as folderWishes from '../../http/schemas/workspace-request.ts';

export interface List<Item> {
  readonly items: readonly Item[];
  readonly next?: string | undefined;
}

export type ProjectSummary = z.output<typeof answers.projectSummary>;
export type Project = z.output<typeof answers.project>;
export type ProjectStatus = Project['status'];
export type Unit = Project['units'][number];
export type Call = Project['calls'][number];
export type Recovery = NonNullable<Project['recovery']>;
export type RecoveryAction = Recovery['options'][number];
export type Gate = NonNullable<Project['gate']>;
export type Run = z.output<typeof answers.run>;
export type RunResult = z.output<typeof answers.runResult>;
export type CreatedProject = z.output<typeof answers.createdProject>;
export type NewProject = z.input<typeof wishes.newProject>;
export type TimelineLine = z.output<typeof timelineLine>;

export type Commit = z.output<typeof commits.commit>;
export type CommitDetail = z.output<typeof commits.commitDetail>;
export type FileChange = z.output<typeof commits.fileChange>;
export type Diff = z.output<typeof commits.diffBody>;
export type TreeStatus = z.output<typeof commits.treeStatus>;
export type Reverted = z.output<typeof commits.reverted>;
export type Tag = z.output<typeof commits.tag>;
export type TreeEntry = z.output<typeof commits.treeEntry>;
export type Attempt = z.output<typeof commits.attempt>;
export type Manifest = z.output<typeof commits.manifest>;
export type Rescue = z.output<typeof commits.rescue>;
export type FindingList = z.output<typeof findingList>;

export type Workspace = z.output<typeof folders.workspace>;
export type Point = z.output<typeof folders.point>;
export type Turn = z.output<typeof folders.turnList>['items'][number];
/** What of a compared picture is drawn. */
export type PictureSide = 'before' | 'after' | 'difference';
export type WorkspaceDiff = z.output<typeof folders.workspaceDiff>;
export type RestorePlan = z.output<typeof folders.plan>;
export type RestoreReport = z.output<typeof folders.report>;
export type AppliedRestore = z.output<typeof folders.restoreList>['items'][number];
export type ProtectStatus = z.output<typeof folders.protectStatus>;
export type Explained = z.output<typeof folders.explained>;
export type RestoreWish = z.input<typeof folderWishes.restoreWish>;
export type NewWorkspace = z.input<typeof folderWishes.newWorkspace>;
