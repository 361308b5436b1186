import type { BytePath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import type { TreeFile, TreeFolder } from '../domain/file-tree.ts';

/** What tells that a file or folder was not touched; times in milliseconds with a fraction. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
  /** The machine's clock just before it was looked at. */
  readonly seen: number;
}

/** A file or link as it was found on the disk; its object id is known once its content was read. */
export interface DiskFile extends TreeFile, Stamp {
  readonly kind: 'file' | 'link';
}

/** A name of a folder that is not in its entries. */
export interface LeftName {
  readonly name: string;
  readonly reason: LeftOutReason;
}

/** Reasons that cannot go away without a change of the folder, of the rules or of what is tracked. */
export const LASTING: ReadonlySet<LeftOutReason> = new Set(['ignored', 'reserved_name', 'special_file', 'secret_name']);

export interface DiskFolder extends TreeFolder, Stamp {
  readonly entries: readonly (DiskFile | DiskFolder)[];
  readonly left: readonly LeftName[];
  /** True where an ignored entry is in only because it was tracked already. */
  readonly exceptions: boolean;
  /** Names the version of the folder's own ignore file; empty without one. */
  readonly rules: string;
}

/** A path that the walk names besides its entries. */
export interface LeftPath {
  readonly path: BytePath;
  readonly reason: LeftOutReason;
}

/** Milliseconds: the clock behind a file's times runs in ticks of up to ten. */
const GRAIN_MS = 25;
/** Where a time has no fraction, the file system may keep full seconds or even every second one only. */
const COARSE_GRAIN_MS = 2500;

/** False for what was looked at so soon after its last change that a further change could bear the same time. */
export function isSettled(stamp: Stamp): boolean {
  const grain = stamp.ctime % 1000 === 0 ? COARSE_GRAIN_MS : GRAIN_MS;
  return stamp.ctime < stamp.seen - grain;
}

/** True where two looks saw the same, unchanged thing. */
export function sameStamp(a: Stamp & { readonly mode: number }, b: Stamp & { readonly mode: number }): boolean {
  return a.ctime === b.ctime && a.mtime === b.mtime && a.size === b.size && a.ino === b.ino && a.mode === b.mode;
}
