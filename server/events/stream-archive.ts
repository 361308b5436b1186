import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../io/make-folders.ts';
import { syncFolder } from '../io/write-atomic.ts';
import { SeqLog, type SeqRecord } from './seq-log.ts';

interface Archived {
  readonly first: number;
  readonly last: number;
  readonly path: string;
  readonly bytes: number;
  /** When it was written last, in milliseconds. */
  readonly written: number;
}

export interface KeepLimits {
  /** Bytes of all files together. */
  readonly total_bytes: number;
  readonly keep_ms: number;
}

/** The earlier files of a stream log, in one folder, each named `{first}-{last}.ndjson` after the numbers in it. */
export class StreamArchive {
  readonly #folder: string;
  readonly #opened = new Map<string, SeqLog>();
  #files: readonly Archived[];

  /** @param folder absolute; made where it is absent. */
  constructor(folder: string) {
    makeFolders(folder);
    this.#folder = folder;
    this.#files = readdirSync(folder)
      .flatMap((name) => archived(folder, name) ?? [])
      .sort((a, b) => a.first - b.first);
  }

  get first(): number | undefined {
    return this.#files[0]?.first;
  }

  /** 0 where there is none. */
  get last(): number {
    return this.#files.at(-1)?.last ?? 0;
  }

  /** Moves a file here that is durable and will not be written again. */
  add(path: string, { first, last }: { readonly first: number; readonly last: number }): void {
    const name = `${first}-${last}.ndjson`;
    renameSync(path, join(this.#folder, name));
    syncFolder(this.#folder);
    syncFolder(dirname(path));
    const file = archived(this.#folder, name);
    if (file !== undefined) this.#files = [...this.#files, file];
  }

  *readAfter(seq: number): Generator<SeqRecord> {
    for (const file of this.#files) if (file.last > seq) yield* this.#open(file).readAfter(seq);
  }

  /** Deletes what is older than the limit, or too much: the oldest first. The newest stays, as it tells the last number. @param now milliseconds. */
  prune(now: number, { total_bytes, keep_ms }: KeepLimits): void {
    let total = this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
    const gone = this.#files.slice(0, -1).filter(({ bytes, written }) => {
      const goes = total > total_bytes || now - written > keep_ms;
      if (goes) total -= bytes;
      return goes;
    });
    for (const { path } of gone) {
      rmSync(path);
      this.#opened.delete(path);
    }
    this.#files = this.#files.filter((file) => !gone.includes(file));
  }

  /** Absolute paths, oldest first. */
  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  #open({ path }: Archived): SeqLog {
    const log = this.#opened.get(path) ?? new SeqLog(path);
    this.#opened.set(path, log);
    return log;
  }
}

function archived(folder: string, name: string): Archived | undefined {
  const [, first, last] = /^(\d+)-(\d+)\.ndjson$/.exec(name) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const path = join(folder, name);
  const { size, mtimeMs } = statSync(path);
  return { first: Number(first), last: Number(last), path, bytes: size, written: mtimeMs };
}
