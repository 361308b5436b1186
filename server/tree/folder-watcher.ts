import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { type BytePath, joinPath, parentPath } from '../domain/byte-path.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { LASTING, type LeftPath } from './disk-tree.ts';
import { Suspects } from './suspects.ts';
import type { WatchedWalk } from './walk-request.ts';
import { WatchCookie } from './watch-cookie.ts';
import { canWatch, MOST_EVENTS } from './watch-limits.ts';

/** One look at a folder whose changes are watched. */
export interface WatchedLook extends WatchedWalk {
  /** The look came to its end, and leaves these out. Without it the next look is a full one. */
  end(leftOut: readonly LeftPath[]): void;
}

/** After so long a folder is looked at in full whatever was told: a write through mmap tells nothing; ms. */
const TRUSTED_MS = 180_000;

/** Events of all watchers of this thread so far: they share the kernel's queue. */
let events = 0;

/**
 * Notes in which folders of a tree something was changed, as far as the system tells. That is a hint: it stands in for a
 * full look only while nothing speaks against it.
 */
export class FolderWatcher {
  readonly #root: string;
  readonly #cookie: WatchCookie;
  readonly #watched = new Map<BytePath, FSWatcher>();
  #changed = new Set<BytePath>();
  /** Folders that were made, moved or removed: nothing is known of what is below. */
  #unknown = new Set<BytePath>();
  /** Folders that are looked at each time: with files that can change without an event, or that could not be read. */
  #doubtful = new Set<BytePath>();
  #rootStats: { readonly dev: number; readonly ino: number } | undefined;
  #eventsBefore = 0;
  /** Until when a look may be less than a full one; undefined: the next must be full. */
  #trustedUntil: number | undefined;
  /** What was told is not the whole: the watchers are made anew. */
  #isLost = false;
  #isOff: boolean;

  /**
   * @param root absolute path without links in it
   * @param scratch absolute path of a folder outside of it that the watcher may make
   */
  constructor(root: string, scratch: string) {
    this.#root = root;
    this.#cookie = new WatchCookie(scratch);
    this.#isOff = !canWatch(root);
  }

  /** Begins a look: what is changed from here on is for the next one. Undefined where nothing can be watched. */
  async begin(): Promise<WatchedLook | undefined> {
    if (this.#isOff) return undefined;
    const isWhole = (await this.#cookie.passes()) && this.#isSameRoot() && events - this.#eventsBefore < MOST_EVENTS;
    this.#eventsBefore = events;
    const suspects = new Suspects(new Set([...this.#changed, ...this.#doubtful]), this.#unknown);
    if (!isWhole || this.#isLost) this.#unwatch(new Set(['' as BytePath]));
    else if (this.#unknown.size > 0) this.#unwatch(this.#unknown);
    const isFull = !isWhole || this.#isLost || performance.now() >= (this.#trustedUntil ?? 0);
    const trustedUntil = isFull ? performance.now() + TRUSTED_MS : this.#trustedUntil;
    this.#changed = new Set();
    this.#unknown = new Set();
    this.#doubtful = new Set();
    this.#isLost = false;
    this.#trustedUntil = undefined;
    return {
      suspects: isFull ? undefined : suspects,
      enter: (folder) => this.#watch(folder),
      keepSuspect: (folder) => this.#doubtful.add(folder),
      end: (leftOut) => {
        for (const { path, reason } of leftOut) if (!LASTING.has(reason)) this.#doubtful.add(parentPath(path));
        this.#trustedUntil = trustedUntil;
      },
    };
  }

  /** The next look is a full one. */
  distrust(): void {
    this.#trustedUntil = undefined;
  }

  close(): void {
    this.#isOff = true;
    this.#unwatch(new Set(['' as BytePath]));
    this.#cookie.close();
  }

  #isSameRoot(): boolean {
    const stats = lstatSync(this.#root, { throwIfNoEntry: false });
    const before = this.#rootStats;
    this.#rootStats = stats && { dev: stats.dev, ino: stats.ino };
    return before !== undefined && before.ino === stats?.ino && before.dev === stats.dev;
  }

  /** Before the folder is looked at, so that nothing is missed in between. */
  #watch(folder: BytePath): void {
    if (this.#isOff || this.#watched.has(folder)) return;
    const path = diskPath(this.#root, folder);
    try {
      // What is mounted below may be a file system that tells nothing.
      if (lstatSync(path).dev !== this.#rootStats?.dev) {
        this.close();
        return;
      }
      const watcher = watch(path, { persistent: false, encoding: 'buffer' }, (kind, name) =>
        this.#note(folder, kind, name),
      );
      watcher.on('error', () => {
        this.#isLost = true;
      });
      this.#watched.set(folder, watcher);
    } catch (error) {
      if (hasCode(error, 'ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM')) this.close();
      // A folder that is gone again has changed the one above it, and one that may not be read is doubtful.
      else if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG')) throw error;
    }
  }

  #note(folder: BytePath, kind: string, name: Buffer | null): void {
    events++;
    this.#changed.add(folder);
    if (name === null) this.#unknown.add(folder);
    else if (kind === 'rename') {
      const child = joinPath(folder, name.toString('latin1'));
      if (this.#watched.has(child)) this.#unknown.add(child);
    }
  }

  /** Lets go of folders with all that is below them. */
  #unwatch(folders: ReadonlySet<BytePath>): void {
    for (const [path, watcher] of this.#watched) {
      if (!isAtOrBelow(path, folders)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
  }
}

function isAtOrBelow(path: BytePath, folders: ReadonlySet<BytePath>): boolean {
  for (let at = path; ; at = parentPath(at)) {
    if (folders.has(at)) return true;
    if (at === '') return false;
  }
}
