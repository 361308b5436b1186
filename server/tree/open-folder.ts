import {
  close,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs';
import { promisify } from 'node:util';
import type { BytePath } from '../domain/byte-path.ts';
import { hasCode } from '../io/io-error.ts';
import { O_PATH } from '../io/o-path.ts';

const BY_DESCRIPTOR = existsSync('/proc/self/fd');
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * A folder that is held open. Its entries are reached through the descriptor, so that a folder which somebody swaps for a
 * link is never followed. Where the system has no `/proc/self/fd`, entries are reached by path: there nobody else may
 * be writing.
 */
export class OpenFolder {
  readonly fd: number;
  /** What its entries' paths begin with. */
  readonly #base: string | Buffer;

  constructor(path: string | Buffer) {
    this.fd = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    this.#base = BY_DESCRIPTOR ? `/proc/self/fd/${this.fd}/` : Buffer.concat([Buffer.from(path), SLASH]);
  }

  /** The path of exactly this folder's entry, as `node:fs` takes it. */
  at(name: string): string | Buffer {
    if (typeof this.#base === 'string' && !NOT_ASCII.test(name)) return this.#base + name;
    return Buffer.concat([Buffer.from(this.#base), Buffer.from(name, 'latin1')]);
  }

  /** The folder below; undefined where there is none, or something else. */
  child(name: string): OpenFolder | undefined {
    return orAbsent(() => new OpenFolder(this.at(name)), 'ENOENT', 'ENOTDIR', 'ELOOP');
  }

  /** Looks at an entry itself, not at what it leads to. */
  look(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false });
  }

  /** Holds an entry itself, whatever it is, so that what is done to `path` is done to it and nothing else. */
  hold(name: string): HeldEntry | undefined {
    if (!BY_DESCRIPTOR) {
      const stats = this.look(name);
      return stats && { path: this.at(name), stats, close: () => {}, closeSoon: async () => {} };
    }
    const fd = orAbsent(() => openSync(this.at(name), O_PATH | O_NOFOLLOW), 'ENOENT');
    if (fd === undefined) return undefined;
    return {
      path: `/proc/self/fd/${fd}`,
      stats: fstatSync(fd),
      close: () => closeSync(fd),
      closeSoon: () => closeFile(fd),
    };
  }

  /** Opens a file to be read, or made durable; undefined where there is none, or something else. The caller closes it. */
  open(name: string): number | undefined {
    return orAbsent(() => openSync(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK), 'ENOENT', 'ELOOP', 'ENXIO');
  }

  make(name: string, mode = 0o777): void {
    mkdirSync(this.at(name), mode);
  }

  /** Opens it once more, for a descriptor that outlives this one. */
  again(): number {
    return openSync(this.at('.'), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }

  get mode(): number {
    return fstatSync(this.fd).mode & 0o7777;
  }

  setMode(mode: number): void {
    fchmodSync(this.fd, mode);
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** An entry that is held, with what was seen of it. */
export interface HeldEntry {
  readonly path: string | Buffer;
  readonly stats: Stats;
  close(): void;
  /** The same off the main thread: with the last hold on what was deleted its space is given back, which takes time. */
  closeSoon(): Promise<void>;
}

const NOT_ASCII = /[^\x00-\x7f]/;
const SLASH = Buffer.from('/');
const closeFile = promisify(close);

function orAbsent<Result>(work: () => Result, ...codes: readonly string[]): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  }
}

/** Goes from folder to folder below a root, one descriptor a level. */
export class FolderCursor {
  readonly #open: { readonly name: string; readonly folder: OpenFolder }[] = [];
  readonly #root: OpenFolder;

  constructor(root: string) {
    this.#root = new OpenFolder(root);
  }

  /** Undefined where the folder, or one above it, is not there or is no folder. It stays open until the next call. */
  go(path: BytePath): OpenFolder | undefined {
    const names = path === '' ? [] : path.split('/');
    let depth = 0;
    while (depth < names.length && this.#open[depth]?.name === names[depth]) depth++;
    this.#leave(depth);
    for (const name of names.slice(depth)) {
      const folder = this.#last().child(name);
      if (folder === undefined) return undefined;
      this.#open.push({ name, folder });
    }
    return this.#last();
  }

  /** What was opened before is not used again: after a folder was made, removed or renamed. */
  reset(): void {
    this.#leave(0);
  }

  close(): void {
    this.#leave(0);
    this.#root.close();
  }

  #last(): OpenFolder {
    return this.#open.at(-1)?.folder ?? this.#root;
  }

  #leave(depth: number): void {
    for (const { folder } of this.#open.splice(depth)) folder.close();
  }
}
