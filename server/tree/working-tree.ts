import { realpathSync } from 'node:fs';
import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { hasCode } from '../io/io-error.ts';
import type { DiskFolder, LeftPath } from './disk-tree.ts';
import { type Filled, fillTree } from './fill-tree.ts';
import { IgnoreFiles } from './ignore-files.ts';
import type { TreeRules } from './ignore-stack.ts';
import { loadTree, type ReadTree } from './load-tree.ts';
import { HASH_ONLY, type ObjectSink } from './object-sink.ts';
import { overlayTree } from './overlay-tree.ts';
import { runSteps } from './run-steps.ts';
import type { Reach } from './scope-coverage.ts';
import { readState, writeState } from './state-file.ts';
import { walk } from './walk.ts';

export interface WorkingTreeOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  /** Absolute path of the state file, which may be lost at any time. */
  readonly stateFile: string;
  readonly rules: TreeRules;
}

export interface LookRequest {
  /** Stays in although a rule ignores it: what the last commit or point holds. */
  readonly tracked?: TreeFolder;
  /** Nothing else is looked at; all where absent. */
  readonly scope?: Reach;
  readonly signal?: AbortSignal;
}

export interface Look {
  /** As it is on the disk; in the scope every file has its object id. */
  readonly disk: DiskFolder;
  readonly leftOut: readonly LeftPath[];
  /** Folders with a `.git` of their own; their files are files like others. */
  readonly nested: readonly BytePath[];
}

export interface WriteRequest extends LookRequest {
  /** What stays outside of the scope. */
  readonly base: TreeFolder;
  readonly sink: ObjectSink;
}

export interface Written extends Look {
  /** What was written; its `oid` is the tree's. */
  readonly tree: TreeFolder;
}

/** Opens a folder with what is remembered about it. The folder is not looked at before it is asked for. */
export function openWorkingTree(options: WorkingTreeOptions): WorkingTree {
  return new WorkingTree(options);
}

/** Milliseconds after which what was learned is kept. */
const SAVE_DELAY_MS = 1000;

/** A folder on the disk, and what is known about it. */
export class WorkingTree {
  readonly #options: WorkingTreeOptions;
  readonly #ignoreFiles: IgnoreFiles;
  #disk: DiskFolder | undefined;
  #committed: TreeFolder | undefined;
  #loaded = false;
  #saving: NodeJS.Timeout | undefined;

  constructor(options: WorkingTreeOptions) {
    this.#options = options;
    this.#ignoreFiles = new IgnoreFiles(options.root);
  }

  /** Finds out what is on the disk; only what changed is read, and nothing is written. */
  async look(request: LookRequest = {}): Promise<Look> {
    return this.#take(request, HASH_ONLY);
  }

  /** Puts what is on the disk into a sink, as a tree that is the base's outside of the scope. */
  async write(request: WriteRequest): Promise<Written> {
    const { base, sink, scope } = request;
    const taken = await this.#take({ tracked: base, ...request }, sink);
    const tree = overlayTree({ base, disk: taken.disk, scope, sink });
    this.#remember(taken.disk, tree);
    return { ...taken, tree };
  }

  /** A tree of the repository in memory; the last one that was written or loaded is at hand. */
  async committed(oid: Oid, read: ReadTree): Promise<TreeFolder> {
    this.#load();
    if (this.#committed?.oid === oid) return this.#committed;
    this.#committed = await loadTree(read, oid);
    this.#saveLater();
    return this.#committed;
  }

  /** Drops what is known: after the object store was damaged, or the disk written by other means. */
  forget(): void {
    this.#loaded = true;
    this.#disk = undefined;
    this.#committed = undefined;
  }

  /** Keeps what is known. */
  save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (this.#disk === undefined) return;
    writeState(this.#options.stateFile, {
      rulesKey: this.#options.rules.key,
      disk: this.#disk,
      committed: this.#committed,
    });
  }

  async #take(request: LookRequest, sink: ObjectSink): Promise<Look> {
    this.#load();
    const { signal, scope } = request;
    const root = this.#realRoot();
    const { rules } = this.#options;
    const walked = await runSteps(
      walk({
        root,
        previous: this.#disk,
        tracked: request.tracked ?? EMPTY_FOLDER,
        scope,
        rules,
        ignoreFile: (folder) => this.#ignoreFiles.read(folder),
      }),
      signal,
    );
    const filled: Filled = await runSteps(fillTree({ root, disk: walked.disk, scope, sink }), signal);
    this.#remember(filled.disk, this.#committed);
    return { disk: filled.disk, leftOut: [...walked.leftOut, ...filled.leftOut], nested: walked.nested };
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    const state = readState(this.#options.stateFile);
    this.#disk = state?.rulesKey === this.#options.rules.key ? state.disk : undefined;
    this.#committed = state?.committed;
  }

  #realRoot(): string {
    try {
      return realpathSync.native(this.#options.root);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
      throw new DevLoopError('not_found', `the folder ${this.#options.root} is not there`, { cause: error });
    }
  }

  #remember(disk: DiskFolder, committed: TreeFolder | undefined): void {
    if (disk === this.#disk && committed === this.#committed) return;
    this.#disk = disk;
    this.#committed = committed;
    this.#saveLater();
  }

  #saveLater(): void {
    this.#saving ??= setTimeout(() => this.save(), SAVE_DELAY_MS).unref();
  }
}
