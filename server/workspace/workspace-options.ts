/** What the person or the environment sets for all workspaces; a workspace's own settings add to it. */
export interface WorkspaceOptions {
  /** Absolute path of the folder for histories. */
  readonly stateDir: string;
  /** Absolute path of the person's home folder. */
  readonly home: string;
  readonly maxTurns: number;
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  /** From this size on, in bytes, a file's content is kept beside the points. */
  readonly largeFileBytes: number;
  readonly now: () => Date;
}
