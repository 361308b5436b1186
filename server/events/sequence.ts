import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../io/write-atomic.ts';

const BLOCK = 1000;

/** Remembers, in blocks, up to which number a project's events may have been sent, for when the stream's own file is lost. */
export class Sequence {
  readonly #path: string;
  #reserved: number;

  /** @param folder absolute path of the server's own folder for the ledgers. */
  constructor(folder: string) {
    this.#path = join(folder, 'sequence.json');
    this.#reserved = existsSync(this.#path) ? parseReserved(readFileSync(this.#path, 'utf8')) : 0;
  }

  /** No larger number was ever given out. */
  get reserved(): number {
    return this.#reserved;
  }

  /** To be called before a number is used. */
  reserve(seq: number): void {
    if (seq <= this.#reserved) return;
    const reserved = seq + BLOCK - 1;
    writeAtomic(this.#path, `${JSON.stringify({ schema: 1, reserved })}\n`);
    this.#reserved = reserved;
  }
}

function parseReserved(text: string): number {
  return (JSON.parse(text) as { readonly reserved: number }).reserved;
}
