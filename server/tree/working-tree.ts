import type { BytePath } from '../domain/byte-path.ts';
import { EMPTY_FOLDER, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { realFolder } from './disk-path.ts';
import type { DiskFolder, LeftPath } from './disk-tree.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { IgnoreFiles } from './ignore-files.ts';
import type { TreeRules } from './ignore-stack.ts';
import { loadTree, type ReadTree } from './load-tree.ts';
import { HASH_ONLY, type ObjectSink } from './object-sink.ts';
import { overlayTree } from './overlay-tree.ts';
import type { Reach } from './scope-coverage.ts';
import { takeTree } from './take-tree.ts';
import { TreeMemory } from './tree-memory.ts';
import type { WatchedWalk } from './walk-request.ts';

export interface WorkingTreeOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  /** Absolute path of the state file, which may be lost at any time. */
  readonly stateFile: string;
  readonly rules: TreeRules;
  /** Absolute path of a folder to make outside of the root: then changes are watched for from the second look on. */
  readonly watchFolder?: string | undefined;
}

export interface LookRequest {
  /** Stays in although a rule ignores it: what the last commit or point holds. */
  readonly tracked?: TreeFolder;
  /** Nothing else is looked at; all where absent. */
  readonly scope?: Reach;
  readonly signal?: AbortSignal;
  /** Computes ids where they are not git's own: of large files. */
  readonly hasher?: ObjectSink;
}

export interface Look {
  /** As it is on the disk; in the scope every file has its object id. */
  readonly disk: DiskFolder;
  readonly leftOut: readonly LeftPath[];
  /** Folders with a `.git` of their own; their files are files like others. */
  readonly nested: readonly BytePath[];
}

export interface WriteRequest extends Omit<LookRequest, 'hasher'> {
  /** What stays outside of the scope. */
  readonly base: TreeFolder;
  readonly sink: ObjectSink;
}

export interface Written extends Look {
  /** What was written; its `oid` is the tree's. */
  readonly tree: TreeFolder;
}

/** Trees that are kept in memory, which share what is the same in them: a restore mostly goes back to one before the last. */
const MOST_RECENT = 3;

/** Opens a folder with what is remembered about it. The folder is not looked at before it is asked for. */
export function openWorkingTree(options: WorkingTreeOptions): WorkingTree {
  return new WorkingTree(options);
}

/** A folder on the disk, and what is known about it. */
export class WorkingTree {
  readonly #options: WorkingTreeOptions;
  readonly #ignoreFiles: IgnoreFiles;
  readonly #memory: TreeMemory;
  #watcher: FolderWatcher | undefined;
  /** Those that were written or loaded last, newest first. */
  #recent: readonly TreeFolder[] = [];
  /** Where changes are watched, what one look found out is the ground of the next. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkingTreeOptions) {
    this.#options = options;
    this.#ignoreFiles = new IgnoreFiles(options.root);
    this.#memory = new TreeMemory(options.stateFile, options.rules.key);
  }

  /** Finds out what is on the disk; only what changed is read, and nothing is written. Throws not_found, permission_denied. */
  look(request: LookRequest = {}): Promise<Look> {
    return this.#take(request, request.hasher ?? HASH_ONLY);
  }

  /** Puts what is on the disk into a sink, as a tree that is the base's outside of the scope. */
  async write(request: WriteRequest): Promise<Written> {
    const { base, sink, scope } = request;
    const taken = await this.#take({ tracked: base, ...request }, sink);
    const tree = overlayTree({ base, disk: taken.disk, scope, sink });
    this.#learn(tree);
    return { ...taken, tree };
  }

  /** A tree of the repository in memory; the last one that was written or loaded is at hand. */
  async committed(oid: Oid, read: ReadTree): Promise<TreeFolder> {
    const known = this.#memory.committed;
    if (known?.oid === oid) return known;
    const committed = await this.load(oid, read);
    this.#learn(committed);
    return committed;
  }

  /** The same for a tree that is needed once; only what differs from the folder as it was seen last is read, nothing of the last few. */
  async load(oid: Oid, read: ReadTree): Promise<TreeFolder> {
    const recent = this.#recent.find((tree) => tree.oid === oid);
    return recent ?? loadTree(read, oid, this.#memory.disk ?? this.#memory.committed);
  }

  /** Drops what is known: after the object store was damaged, or the disk written by other means. */
  forget(): void {
    this.#memory.forget();
    this.#recent = [];
  }

  /** Keeps what is known. */
  save(): void {
    this.#memory.save();
  }

  /** Ends the watching. */
  close(): void {
    this.#watcher?.close();
  }

  /** The next look is at everything: the disk was written in a way that need not be told. */
  distrust(): void {
    this.#watcher?.distrust();
  }

  #learn(committed: TreeFolder): void {
    this.#memory.learn({ committed });
    const others = this.#recent.filter(({ oid }) => oid !== committed.oid);
    this.#recent = [committed, ...others].slice(0, MOST_RECENT);
  }

  #take(request: LookRequest, sink: ObjectSink): Promise<Look> {
    const { watchFolder } = this.#options;
    if (watchFolder === undefined) return this.#walk(request, sink, undefined);
    const turn = this.#last.then(() => this.#watched(request, sink, watchFolder));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #watched(request: LookRequest, sink: ObjectSink, folder: string): Promise<Look> {
    if (request.scope !== undefined || this.#memory.disk === undefined) {
      this.distrust();
      return this.#walk(request, sink, undefined);
    }
    this.#watcher ??= new FolderWatcher(realFolder(this.#options.root), folder);
    const watch = await this.#watcher.begin();
    const look = await this.#walk(request, sink, watch);
    watch?.end(look.leftOut);
    return look;
  }

  async #walk(
    { tracked = EMPTY_FOLDER, scope, signal }: LookRequest,
    sink: ObjectSink,
    watch: WatchedWalk | undefined,
  ): Promise<Look> {
    const { root, rules } = this.#options;
    const look = await takeTree({
      root: realFolder(root),
      previous: this.#memory.disk,
      tracked,
      scope,
      rules,
      ignoreFile: (path) => this.#ignoreFiles.read(path),
      sink,
      signal,
      watch,
    });
    this.#memory.learn({ disk: look.disk });
    return look;
  }
}
