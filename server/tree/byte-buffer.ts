const PIECE_BYTES = 64 * 1024;

/** Puts numbers and byte strings one after the other and gives them away in pieces, so that all of them are never in memory. Little-endian. */
export class ByteWriter {
  readonly #flush: (piece: Buffer) => void;
  readonly #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #at = 0;

  /** @param flush is done with a piece when it returns */
  constructor(flush: (piece: Buffer) => void) {
    this.#flush = flush;
  }

  u8(value: number): void {
    this.#room(1);
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  /** A natural number, also beyond the safe ones: seven bits a byte, the low ones first. */
  count(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.u8((rest % 128) | 128);
    this.u8(rest);
  }

  f64(value: number): void {
    this.#room(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** One byte a character. */
  text(value: string): void {
    this.count(value.length);
    for (let at = 0; at < value.length; at += PIECE_BYTES) {
      const part = value.length <= PIECE_BYTES ? value : value.slice(at, at + PIECE_BYTES);
      this.#room(part.length);
      this.#at += this.#bytes.write(part, this.#at, 'latin1');
    }
  }

  hex(value: string): void {
    this.#room(value.length / 2);
    this.#at += this.#bytes.write(value, this.#at, 'hex');
  }

  /** Gives away what is left. */
  end(): void {
    this.#flush(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
  }

  #room(count: number): void {
    if (this.#at + count > PIECE_BYTES) this.end();
  }
}

/** Reads what a ByteWriter wrote. Throws RangeError beyond the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  u8(): number {
    const value = this.#bytes.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  count(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.u8();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  f64(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    return this.#slice(this.count()).toString('latin1');
  }

  hex(count: number): string {
    return this.#slice(count).toString('hex');
  }

  #slice(count: number): Buffer {
    if (this.#at + count > this.#bytes.length) throw new RangeError('beyond the end of the bytes');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}
