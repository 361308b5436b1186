import type { ObjectTarget } from '../domain/point.ts';
import type { BucketAccess } from './objects/open-objects.ts';

/** What the person or the environment sets for all workspaces; a workspace's own settings add to it. */
export interface WorkspaceOptions {
  /** Absolute path of the folder for histories. */
  readonly stateDir: string;
  /** Absolute path of the person's home folder. */
  readonly home: string;
  readonly maxTurns: number;
  /** For workspaces whose settings do not say. */
  readonly maxAgeDays?: number | undefined;
  /** Of all histories together, on this disk; bytes. */
  readonly maxTotalBytes?: number | undefined;
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  /** From this size on, in bytes, a file's content is kept beside the points. */
  readonly largeFileBytes: number;
  /** The bucket that large files can be kept in. */
  readonly bucket?: BucketAccess | undefined;
  /** Where new workspaces keep their large files: in the folder of their store where absent. */
  readonly objects?: ObjectTarget | undefined;
  readonly now: () => Date;
  /** Changes are watched for, so that a look costs what changed: for processes that run long. */
  readonly watch?: boolean;
}
