import { randomBytes } from 'node:crypto';
import { closeSync, type FSWatcher, openSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';

/** So long a change of one's own may take to be told; ms. */
const PATIENCE_MS = 1000;

/**
 * Tells when every event of changes so far has come in: the system tells a thread of changes in their order, so a change of
 * one's own is told after all that were before it.
 */
export class WatchCookie {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #waiting: { readonly name: string; readonly seen: () => void } | undefined;

  /** @param folder absolute path; it is made and removed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** False where the change was not told: then nothing can be said. */
  async passes(): Promise<boolean> {
    const name = randomBytes(8).toString('hex');
    const path = join(this.#folder, name);
    try {
      this.#start();
      const seen = this.#awaited(name);
      closeSync(openSync(path, 'wx', 0o600));
      return await seen;
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE')) throw error;
      this.close();
      return false;
    } finally {
      rmSync(path, { force: true });
    }
  }

  close(): void {
    if (this.#watcher === undefined) return;
    this.#watcher.close();
    this.#watcher = undefined;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(): void {
    if (this.#watcher !== undefined) return;
    makeFolders(this.#folder, { mode: 0o700 });
    const watcher = watch(this.#folder, { persistent: false }, (_, name) => {
      if (name !== null && name === this.#waiting?.name) this.#waiting.seen();
    });
    // Then no event comes, and the wait for it ends by its time.
    watcher.on('error', () => {});
    this.#watcher = watcher;
  }

  #awaited(name: string): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isSeen: boolean): void => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(isSeen);
      };
      const timer = setTimeout(() => end(false), PATIENCE_MS);
      this.#waiting = { name, seen: () => end(true) };
    });
  }
}
