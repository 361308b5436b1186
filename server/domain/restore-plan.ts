import { type BytePath, joinPath } from './byte-path.ts';
import type { LeftOutReason } from './commit.ts';
import { EXECUTABLE_MODE, gitPermissions, type TreeEntryNode, type TreeFile, type TreeFolder } from './file-tree.ts';
import { paired } from './tree-difference.ts';

/** What tells one look at a file from another; times in milliseconds with a fraction. */
export interface SeenStamp {
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly ino: number;
}

export type SeenFile = TreeFile & SeenStamp;

/** A folder as it was found on the disk. */
export interface SeenFolder extends TreeFolder {
  readonly entries: readonly (SeenFile | SeenFolder)[];
  /** Names that are there and that are no part of what is compared: nothing touches them. */
  readonly left: readonly { readonly name: string; readonly reason: LeftOutReason }[];
}

export type StepKind = 'add' | 'overwrite' | 'type' | 'mode' | 'delete';

/** One file or link that changes. */
export interface FileStep {
  readonly kind: StepKind;
  readonly path: BytePath;
  /** What is there now; absent where nothing is. */
  readonly from?: SeenFile;
  /** What will be there; absent for a deletion. */
  readonly to?: TreeFile;
}

export interface FolderStep {
  /** `remove` takes a folder away if nothing is left in it. */
  readonly kind: 'make' | 'mode' | 'remove';
  readonly path: BytePath;
  /** Permission bits; absent where the machine's default will do. */
  readonly mode?: number;
}

export interface NotRestored {
  readonly path: BytePath;
  readonly reason: string;
}

/** What makes the disk equal to a tree, to the path. Nothing else is touched. */
export interface RestorePlan {
  readonly files: readonly FileStep[];
  /** In the order of a depth-first walk: a folder before what is in it. */
  readonly folders: readonly FolderStep[];
  /** Differs and stays as it is, because a rule or the caller wants it so. */
  readonly kept: readonly NotRestored[];
  /** Differs and cannot be made equal. */
  readonly blocked: readonly NotRestored[];
}

export interface PlanOptions {
  /**
   * `git` compares the exec bit only and knows no empty folders: a folder goes when its last file does. `exact`
   * compares all permission bits, of folders too.
   */
  readonly modes: 'git' | 'exact';
  /** Why a differing path stays as it is; undefined where it is restored. */
  readonly keep?: (path: BytePath) => string | undefined;
}

/** Compares what is on the disk with a tree, and plans the way from one to the other. Both must have been hashed. */
export function planRestore(now: SeenFolder, target: TreeFolder, options: PlanOptions): RestorePlan {
  const planner = new Planner(options);
  planner.folder('' as BytePath, now, target);
  return planner.plan;
}

type Found = SeenFile | SeenFolder;

class Planner {
  readonly plan = {
    files: [] as FileStep[],
    folders: [] as FolderStep[],
    kept: [] as NotRestored[],
    blocked: [] as NotRestored[],
  } satisfies RestorePlan;
  readonly #options: PlanOptions;
  /** How many folders above must go, empty subfolders included. */
  #clearing = 0;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  /** @returns true where everything that is in the folder now will be gone */
  folder(path: BytePath, now: SeenFolder | undefined, target: TreeFolder | undefined): boolean {
    const left = new Map(now?.left.map(({ name, reason }) => [name, reason]));
    left.delete('.git');
    let emptied = ![...left.values()].some((reason) => reason !== 'vanished');
    for (const [found, wanted] of paired(now?.entries ?? [], target?.entries ?? [])) {
      const name = (found ?? wanted)?.name ?? '';
      const below = joinPath(path, name);
      const why = found === undefined ? left.get(name) : undefined;
      if (why !== undefined && why !== 'vanished') this.#leaveAll(below, wanted, why);
      else if (!this.#entry(below, found, wanted)) emptied = false;
    }
    return emptied;
  }

  #entry(path: BytePath, found: Found | undefined, wanted: TreeEntryNode | undefined): boolean {
    if (found?.kind === 'folder' || wanted?.kind === 'folder') return this.#withFolder(path, found, wanted);
    const kind = stepKind(found, wanted, this.#options.modes);
    if (kind === undefined) return false;
    const keep = this.#options.keep?.(path);
    if (keep !== undefined) {
      this.plan.kept.push({ path, reason: keep });
      return false;
    }
    if (wanted?.kind === 'gitlink') {
      this.plan.blocked.push({ path, reason: 'gitlink' });
      return false;
    }
    this.plan.files.push({
      kind,
      path,
      ...(found && { from: found }),
      ...(wanted && { to: this.#withMode(found, wanted) }),
    });
    return kind === 'delete';
  }

  /** A folder on one side or both. */
  #withFolder(path: BytePath, found: Found | undefined, wanted: TreeEntryNode | undefined): boolean {
    if (found === wanted) return false;
    const foundFolder = found?.kind === 'folder' ? found : undefined;
    const wantedFolder = wanted?.kind === 'folder' ? wanted : undefined;
    if (found !== undefined && foundFolder === undefined && !this.#entry(path, found, undefined)) {
      this.#blockAll(path, wanted, 'file_in_the_way');
      return false;
    }
    if (wantedFolder !== undefined) {
      this.#keepFolder(path, foundFolder, wantedFolder);
      this.folder(path, foundFolder, wantedFolder);
      return false;
    }
    const emptied = this.#leaveFolder(path, foundFolder, wanted !== undefined);
    if (wanted === undefined) return emptied;
    if (emptied) this.#entry(path, undefined, wanted);
    else this.#blockAll(path, wanted, 'folder_in_the_way');
    return false;
  }

  #keepFolder(path: BytePath, found: SeenFolder | undefined, { mode }: TreeFolder): void {
    if (this.#options.modes === 'git' || this.#options.keep?.(path) !== undefined) return;
    if (found === undefined) this.plan.folders.push({ kind: 'make', path, mode });
    else if (found.mode !== mode) this.plan.folders.push({ kind: 'mode', path, mode });
  }

  /** Empties a folder that is not wanted. In git's terms it goes with the last of its files, or where a file needs its name. */
  #leaveFolder(path: BytePath, found: SeenFolder | undefined, nameIsNeeded: boolean): boolean {
    const [files, folders] = [this.plan.files.length, this.plan.folders.length];
    if (nameIsNeeded) this.#clearing++;
    const emptied = this.folder(path, found, undefined);
    const exact = this.#options.modes === 'exact';
    const goes =
      this.#clearing > 0 || (exact ? this.#options.keep?.(path) === undefined : this.plan.files.length > files);
    if (nameIsNeeded) this.#clearing--;
    if (emptied && goes) this.plan.folders.splice(folders, 0, { kind: 'remove', path });
    return emptied && (goes || !exact);
  }

  /** In git's terms a file keeps its other bits, and its exec bits follow the read bits. */
  #withMode(found: SeenFile | undefined, wanted: TreeFile): TreeFile {
    if (this.#options.modes === 'exact' || found?.kind !== 'file' || wanted.kind !== 'file') return wanted;
    const [has, wants] = [gitPermissions(found.mode), gitPermissions(wanted.mode)];
    if (has === wants) return { ...wanted, mode: found.mode };
    const exec = (found.mode & 0o444) >> 2;
    return { ...wanted, mode: wants === EXECUTABLE_MODE ? found.mode | exec : found.mode & ~0o111 };
  }

  #leaveAll(path: BytePath, wanted: TreeEntryNode | undefined, reason: LeftOutReason): void {
    const rows =
      reason === 'ignored' || reason === 'secret_name' || reason === 'too_large' ? this.plan.kept : this.plan.blocked;
    for (const file of filesOf(path, wanted)) rows.push({ path: file, reason });
  }

  #blockAll(path: BytePath, wanted: TreeEntryNode | undefined, reason: string): void {
    for (const file of filesOf(path, wanted)) this.plan.blocked.push({ path: file, reason });
  }
}

function filesOf(path: BytePath, entry: TreeEntryNode | undefined): readonly BytePath[] {
  if (entry === undefined) return [];
  if (entry.kind !== 'folder') return [path];
  return entry.entries.flatMap((inner) => filesOf(joinPath(path, inner.name), inner));
}

function stepKind(
  found: SeenFile | undefined,
  wanted: TreeFile | undefined,
  modes: PlanOptions['modes'],
): StepKind | undefined {
  if (found === undefined) return wanted === undefined ? undefined : 'add';
  if (wanted === undefined) return 'delete';
  if (found.kind !== wanted.kind) return 'type';
  if (found.oid !== wanted.oid) return 'overwrite';
  if (found.kind !== 'file') return undefined;
  const same =
    modes === 'git' ? gitPermissions(found.mode) === gitPermissions(wanted.mode) : found.mode === wanted.mode;
  return same ? undefined : 'mode';
}
