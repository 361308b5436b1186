import type { BytePath } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';

/** One entry of an index, as far as it tells what is tracked. */
export interface TrackedEntry {
  readonly path: BytePath;
  /** Type and permission bits; 0o40000 for a whole folder of a sparse index. */
  readonly mode: number;
  readonly oid: Oid;
  /** 0, or 1 to 3 while a merge is not resolved. */
  readonly stage: number;
}

export interface ParsedIndex {
  readonly entries: readonly TrackedEntry[];
  /** Name of the file `sharedindex.{sum}` that holds the other entries of a split index. */
  readonly shared?: string;
}

const HEADER_BYTES = 12;
const OID_BYTES = 20;
const EXTENDED = 0x4000;

/** Parses git's index, versions 2 to 4. Throws `vault_damaged` where it is not one. */
export function parseIndex(bytes: Buffer): ParsedIndex {
  try {
    return new IndexParser(bytes).parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DevLoopError('vault_damaged', 'the index is damaged', { cause: error });
  }
}

class IndexParser {
  readonly #bytes: Buffer;
  readonly #version: number;
  #at = HEADER_BYTES;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#version = bytes.readUInt32BE(4);
    const known = this.#version >= 2 && this.#version <= 4;
    if (bytes.toString('latin1', 0, 4) !== 'DIRC' || !known) throw new RangeError('no index of a known version');
  }

  parse(): ParsedIndex {
    const entries: TrackedEntry[] = [];
    let path = '';
    for (let left = this.#bytes.readUInt32BE(8); left > 0; left--) {
      const entry = this.#entry(path);
      path = entry.path;
      entries.push(entry);
    }
    const shared = this.#sharedName();
    return shared === undefined ? { entries } : { entries, shared };
  }

  #entry(before: string): TrackedEntry {
    const start = this.#at;
    const flags = this.#bytes.readUInt16BE(start + 60);
    this.#at = start + 62 + ((flags & EXTENDED) !== 0 ? 2 : 0);
    const path = this.#version === 4 ? this.#compressedPath(before) : this.#paddedPath(start);
    return {
      path: path as BytePath,
      mode: this.#bytes.readUInt32BE(start + 24),
      oid: this.#bytes.toString('hex', start + 40, start + 60) as Oid,
      stage: (flags >> 12) & 3,
    };
  }

  #paddedPath(start: number): string {
    const path = this.#untilNul();
    this.#at = start + ((this.#at - 1 - start + 8) & ~7);
    return path;
  }

  /** Version 4: how many bytes to drop from the end of the path before, then what to append. */
  #compressedPath(before: string): string {
    const dropped = this.#offsetNumber();
    if (dropped > before.length) throw new RangeError('more is dropped than there is');
    return before.slice(0, before.length - dropped) + this.#untilNul();
  }

  /** Git's variable width number of offsets: each further byte adds one before it shifts. */
  #offsetNumber(): number {
    let byte = this.#bytes.readUInt8(this.#at++);
    let value = byte & 127;
    while ((byte & 128) !== 0) {
      byte = this.#bytes.readUInt8(this.#at++);
      value = (value + 1) * 128 + (byte & 127);
    }
    return value;
  }

  #untilNul(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw new RangeError('a path without an end');
    const path = this.#bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return path;
  }

  #sharedName(): string | undefined {
    const end = this.#bytes.length - OID_BYTES;
    while (this.#at + 8 <= end) {
      const name = this.#bytes.toString('latin1', this.#at, this.#at + 4);
      const size = this.#bytes.readUInt32BE(this.#at + 4);
      if (name === 'link') return this.#bytes.toString('hex', this.#at + 8, this.#at + 8 + OID_BYTES);
      this.#at += 8 + size;
    }
    return undefined;
  }
}
