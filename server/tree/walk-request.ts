import type { BytePath } from '../domain/byte-path.ts';
import type { TreeFolder } from '../domain/file-tree.ts';
import type { DiskFolder, LeftPath } from './disk-tree.ts';
import type { IgnoreFile } from './ignore-files.ts';
import type { TreeRules } from './ignore-stack.ts';
import type { Reach } from './scope-coverage.ts';
import type { Suspects } from './suspects.ts';

export interface WalkRequest {
  /** Absolute path without links in it. */
  readonly root: string;
  /** What an earlier walk of the same root gave. */
  readonly previous: DiskFolder | undefined;
  /** What is tracked: it stays in although a rule ignores it. */
  readonly tracked: TreeFolder;
  readonly scope: Reach;
  readonly rules: TreeRules;
  readonly ignoreFile: (folder: BytePath) => IgnoreFile | undefined;
  /** What a watcher knows; without it every folder is looked at. */
  readonly watch?: WatchedWalk | undefined;
}

export interface WatchedWalk {
  /** Folders that may differ from `previous`; undefined where all may. */
  readonly suspects: Suspects | undefined;
  /** Is told of each folder before it is looked at. */
  enter(folder: BytePath): void;
  /** Is told of each folder in which a file has a second name, by which it can change unseen. */
  keepSuspect(folder: BytePath): void;
}

export interface Walked {
  /** Unchanged parts are the very objects of `previous`. Outside of the scope it is what `previous` had. */
  readonly disk: DiskFolder;
  readonly leftOut: readonly LeftPath[];
  /** Folders with a `.git` of their own. */
  readonly nested: readonly BytePath[];
}
