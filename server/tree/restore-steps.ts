import { type BytePath, parentPath } from '../domain/byte-path.ts';
import type { Oid } from '../domain/ids.ts';
import type { FileStep, RestorePlan, SeenStamp } from '../domain/restore-plan.ts';

/** What is known about a thing on the disk that a step replaces or takes away. */
export interface Expected extends SeenStamp {
  readonly kind: 'file' | 'link' | 'gitlink';
}

/** One change to the disk. Each can be done again after it was done. */
export type Step =
  | { readonly do: 'open_folder'; readonly path: BytePath }
  | { readonly do: 'delete'; readonly path: BytePath; readonly from: Expected }
  | { readonly do: 'remove_folder'; readonly path: BytePath }
  | { readonly do: 'make_folder'; readonly path: BytePath }
  | { readonly do: 'place'; readonly path: BytePath; readonly from?: Expected; readonly staged: Staged }
  | { readonly do: 'mode'; readonly path: BytePath; readonly from: Expected; readonly mode: number }
  | { readonly do: 'folder_mode'; readonly path: BytePath; readonly mode: number };

/** A whole new file that waits for its place. */
export interface Staged {
  /** Which of the stage's folders, and the name in it. */
  readonly folder: number;
  readonly name: string;
  readonly ino: number;
  /** There for what need not be on the disk when the steps are noted: whoever carries them on can make it again. */
  readonly again?: MadeAgain;
}

/** A staged file or link by what it is. */
export interface MadeAgain {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  /** Of the blob that has its content, or its text. */
  readonly oid: Oid;
  /** When it was written; milliseconds with a fraction. */
  readonly mtime: number;
  /** When it was last touched before it took its place; milliseconds with a fraction. */
  readonly ctime: number;
}

/**
 * Puts a plan's changes in order: what stands in the way goes first, then folders are made, files take their places,
 * the rest is deleted, emptied folders go, and the folders' modes come last.
 * @param staged the new files by path
 * @param shut folders that must be opened for writing, with the mode that they have
 */
export function orderSteps(
  plan: RestorePlan,
  staged: ReadonlyMap<BytePath, Staged>,
  shut: ReadonlyMap<BytePath, number>,
): readonly Step[] {
  const wanted = new Wanted(plan);
  const deletes = plan.files.filter(({ kind }) => kind === 'delete').map(deletion);
  const removals = plan.folders
    .filter(({ kind }) => kind === 'remove')
    .map(({ path }) => path)
    .reverse();
  const modes = new Map(shut);
  for (const { path, mode } of plan.folders) if (mode !== undefined) modes.set(path, mode);
  const gone = new Set(removals);
  return [
    ...[...shut.keys()].map((path): Step => ({ do: 'open_folder', path })),
    ...deletes.filter(({ path }) => wanted.isHinderedBy(path)),
    ...removals.filter((path) => wanted.isHinderedBy(path)).map(removal),
    ...wanted.folders().map((path): Step => ({ do: 'make_folder', path })),
    ...plan.files.flatMap((step) => placement(step, staged)),
    ...plan.files.filter(({ kind }) => kind === 'mode').flatMap(modeChange),
    ...deletes.filter(({ path }) => !wanted.isHinderedBy(path)),
    ...removals.filter((path) => !wanted.isHinderedBy(path)).map(removal),
    ...[...modes]
      .reverse()
      .flatMap(([path, mode]): Step[] => (gone.has(path) ? [] : [{ do: 'folder_mode', path, mode }])),
  ];
}

/** The steps that put a new file or link in place. */
export function needsContent(step: FileStep): boolean {
  return step.kind === 'add' || step.kind === 'overwrite' || step.kind === 'type';
}

/** Names that a case-blind or Unicode-blind file system takes for one have one folded form. */
export function foldPath(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8').normalize('NFC').toLowerCase();
}

/** The names that will be there, to tell what stands in their way. */
class Wanted {
  readonly #folders = new Set<BytePath>();
  readonly #folded: ReadonlySet<string>;

  constructor(plan: RestorePlan) {
    const files = plan.files.filter(needsContent).map(({ path }) => path);
    const made = plan.folders.filter(({ kind }) => kind === 'make').map(({ path }) => path);
    for (const path of made) this.#addFolder(path);
    for (const path of files) this.#addFolder(parentPath(path));
    this.#folded = new Set([...files, ...this.#folders].map(foldPath));
  }

  /** The folders that are needed, each after the one above it. */
  folders(): readonly BytePath[] {
    return [...this.#folders].sort();
  }

  /** True for what has a wanted name, in whatever case a file system reads it, and for what is in a folder that has one. */
  isHinderedBy(path: BytePath): boolean {
    if (this.#folded.has(foldPath(path))) return true;
    for (let at = parentPath(path); at !== ''; at = parentPath(at)) {
      if (this.#folded.has(foldPath(at)) && !this.#folders.has(at)) return true;
    }
    return false;
  }

  #addFolder(path: BytePath): void {
    for (let at = path; at !== '' && !this.#folders.has(at); at = parentPath(at)) this.#folders.add(at);
  }
}

type Deletion = Extract<Step, { do: 'delete' }>;

function deletion({ path, from }: FileStep): Deletion {
  if (from === undefined) throw new Error(`a deletion without what is deleted: ${path}`);
  return { do: 'delete', path, from: expected(from) };
}

const removal = (path: BytePath): Step => ({ do: 'remove_folder', path });

function placement(step: FileStep, staged: ReadonlyMap<BytePath, Staged>): readonly Step[] {
  const file = staged.get(step.path);
  if (file === undefined) return [];
  return [{ do: 'place', path: step.path, staged: file, ...(step.from && { from: expected(step.from) }) }];
}

function modeChange({ path, from, to }: FileStep): readonly Step[] {
  if (from === undefined || to === undefined) return [];
  return [{ do: 'mode', path, from: expected(from), mode: to.mode }];
}

function expected({ kind, size, mtime, ctime, ino }: Expected): Expected {
  return { kind, size, mtime, ctime, ino };
}
