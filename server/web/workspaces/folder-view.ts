import type { Workspace } from '../api/types.ts';

/** What each view of a workspace is given. */
export interface FolderView {
  readonly workspace: Workspace;
  /** What follows the view's name in the address. */
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly reload: () => void;
}
