import type { HostilePlace } from './hostile-place.ts';

/** Something that an agent could leave in a project, to have it run, read or written by whoever uses git there. */
export interface Trap {
  readonly name: string;
  /** `git`: in `.git`; `tree`: among the files; `nested`: in another repository among the files; `environment`: around the server. */
  readonly where: 'git' | 'tree' | 'nested' | 'environment';
  readonly plant: (place: HostilePlace) => void;
  /** Takes an environment trap away again. */
  readonly lift?: () => void;
  /** True where it makes reading impossible, or would undo another trap: not planted with all others. */
  readonly alone?: true;
  /** True where it is so large that each call may take minutes. */
  readonly large?: true;
  /** True where it need not be found after a call: an empty folder for refs, an index as any git may leave it. */
  readonly harmless?: true;
}
