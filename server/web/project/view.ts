import type { Project } from '../api/types.ts';
import type { LiveState } from '../live/live-state.ts';

/** What each view of a project is given. */
export interface View {
  readonly project: Project;
  readonly live: LiveState;
  /** What follows the view's name in the address. */
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly reload: () => void;
}
