/** Appends numbers and byte strings to a buffer that grows. Little-endian. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #at = 0;

  u8(value: number): void {
    this.#room(1);
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  u32(value: number): void {
    this.#room(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  f64(value: number): void {
    this.#room(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** One byte a character. */
  text(value: string): void {
    this.u32(value.length);
    this.#room(value.length);
    this.#at += this.#bytes.write(value, this.#at, 'latin1');
  }

  hex(value: string): void {
    this.#room(value.length / 2);
    this.#at += this.#bytes.write(value, this.#at, 'hex');
  }

  /** What was written so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #room(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + count));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
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

  u32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  f64(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    return this.#slice(this.u32()).toString('latin1');
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
