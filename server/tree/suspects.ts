import { type BytePath, parentPath } from '../domain/byte-path.ts';

/** Folders that may have changed since a tree was looked at; all others are as they were. */
export class Suspects {
  readonly #changed: ReadonlySet<BytePath>;
  readonly #unknown: ReadonlySet<BytePath>;
  readonly #above = new Set<BytePath>();

  /**
   * @param changed folders in which a name, a file or the folder itself may have changed
   * @param unknown folders of which nothing is known, nor of anything below
   */
  constructor(changed: ReadonlySet<BytePath>, unknown: ReadonlySet<BytePath>) {
    this.#changed = changed;
    this.#unknown = unknown;
    for (const path of [...changed, ...unknown]) this.#addAbove(path);
  }

  /** True where the folder, or one below it, must be looked at. */
  reaches(folder: BytePath): boolean {
    return this.#above.has(folder) || this.#changed.has(folder) || this.#unknown.has(folder);
  }

  /** True where everything below must be looked at. */
  isUnknown(folder: BytePath): boolean {
    return this.#unknown.has(folder);
  }

  #addAbove(path: BytePath): void {
    let at = path;
    while (at !== '') {
      at = parentPath(at);
      if (this.#above.has(at)) return;
      this.#above.add(at);
    }
  }
}
