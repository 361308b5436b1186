import type { BytePath, PathText } from '../domain/byte-path.ts';
import type { Comparison } from '../domain/comparison.ts';
import type { Point, TurnId, WorkspaceFile, WorkspaceId, WorkspaceSettingsInput } from '../domain/point.ts';
import type { TurnAbout } from '../domain/turn.ts';
import type { PrunedAll, Side, Workspace } from '../workspace/index.ts';

/** A folder whose versions are kept; the folder itself may be gone. */
export interface WorkspaceFolder {
  readonly id: WorkspaceId;
  /** Absolute path. */
  readonly root: string;
  readonly file: WorkspaceFile;
}

export interface NewWorkspaceFolder {
  readonly name?: string | undefined;
  readonly settings?: WorkspaceSettingsInput | undefined;
  /** The history of a folder that was moved: it belongs to this one from now on. */
  readonly attach?: WorkspaceId | undefined;
}

/** How one file differs between two sides. */
export interface FilePatch extends PathText {
  readonly change: string;
  readonly renamed_from?: PathText;
  readonly additions?: number;
  readonly deletions?: number;
  /** Why neither lines nor blocks are shown. */
  readonly opaque?: string;
  /** The same by what the content is: words, cells, pages, pictures. */
  readonly comparison?: Comparison;
  readonly patch: Uint8Array;
}

/** A picture of a file between two sides: as it was, as it is, or how both differ. */
export interface PictureRequest {
  readonly from: Side;
  readonly to: Side;
  readonly path: BytePath;
  readonly show: 'before' | 'after' | 'difference';
  /** Of a PDF or a document, from 1. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

/** What HTTP asks of the person's folders. Every call with an id throws workspace_not_found for an unknown one. */
export interface WorkspaceService {
  list(): readonly WorkspaceFolder[];
  /** Opens a folder as a workspace; one that has a history keeps it, with its settings. Throws workspace_refused, conflict. */
  add(path: string, about: NewWorkspaceFolder): Promise<WorkspaceFolder>;
  /** Lends the workspace for one piece of work. */
  use<Result>(id: WorkspaceId, work: (workspace: Workspace) => Promise<Result>): Promise<Result>;
  /** A setting that is there and undefined goes back to its default. */
  change(
    id: WorkspaceId,
    changed: { readonly name?: string | undefined; readonly settings: WorkspaceSettingsInput },
  ): Promise<WorkspaceFolder>;
  /** Prunes every history, and holds all together to their size. */
  pruneAll(): Promise<PrunedAll>;
  /** Deletes the history; the folder is not touched. */
  remove(id: WorkspaceId): Promise<void>;
  /** Throws bad_state where turns are not protected. */
  beginTurn(id: WorkspaceId, about: TurnAbout): Promise<{ readonly turn: TurnId; readonly pre: Point }>;
  /** Resolves when it is noted that the turn is to end; its point is taken after what is asked for already. */
  endTurn(id: WorkspaceId, turn: TurnId): Promise<'ending' | 'ended'>;
  /** The differing files with their lines. */
  patch(
    id: WorkspaceId,
    request: {
      readonly from: Side;
      readonly to: Side;
      readonly path?: BytePath | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly FilePatch[]>;
  /** A PNG. Throws not_found where there is no picture of it. */
  picture(id: WorkspaceId, request: PictureRequest): Promise<Uint8Array>;
}
