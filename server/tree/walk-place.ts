import type { BytePath } from '../domain/byte-path.ts';
import type { TreeFolder } from '../domain/file-tree.ts';
import type { DiskFolder } from './disk-tree.ts';
import type { IgnoreStack } from './ignore-stack.ts';
import type { Reach } from './scope-coverage.ts';
import type { Suspects } from './suspects.ts';

/** A folder that a walk comes to, with all that decides how it is looked at. */
export interface Place {
  readonly path: BytePath;
  readonly previous: DiskFolder | undefined;
  readonly tracked: TreeFolder;
  /** What lies below is looked at where this has it. */
  readonly scope: Reach;
  readonly stack: IgnoreStack | undefined;
  /** A rule ignores this folder: only what is tracked is in. */
  readonly ignored: boolean;
  /** The rules above are as they were when `previous` was made. */
  readonly sameRules: boolean;
  /** Which folders at or below may differ from `previous`; undefined where all may. */
  readonly suspects: Suspects | undefined;
}

/** The folder that is known, where it need not be looked at: nothing in it has changed, nor what decides about it. */
export function asItWas({ path, previous, tracked, sameRules, suspects }: Place): DiskFolder | undefined {
  if (previous === undefined || suspects === undefined || !sameRules || suspects.reaches(path)) return undefined;
  return tracked === previous || (tracked.oid !== undefined && tracked.oid === previous.oid) ? previous : undefined;
}
