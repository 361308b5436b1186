/** A write that a disk was given; a flush makes everything before it certain. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'flush' };

/** Granularity in which a write may arrive in part; bytes. */
const SECTOR = 4096;

/** A disk that remembers what it was told, and when it was told to flush: whatever a power cut could have left of it can be made from that. */
export class LoggedDisk {
  readonly content: Buffer;
  readonly log: DiskEvent[] = [];
  readonly #base: Buffer;

  constructor(base: Buffer) {
    this.#base = base;
    this.content = Buffer.from(base);
  }

  read(offset: number, size: number): Buffer {
    return this.content.subarray(offset, offset + size);
  }

  write(offset: number, data: Buffer): void {
    data.copy(this.content, offset);
    this.log.push({ kind: 'write', offset, data: Buffer.from(data) });
  }

  flush(): void {
    this.log.push({ kind: 'flush' });
  }

  /**
   * Makes the content after a cut: all that was flushed by then, and of what came after the last flush what the disk happened to have
   * written, piece by piece.
   * @param at so many events had come
   * @param keeps called for each piece of an unflushed write
   */
  afterCut(at: number, keeps: () => boolean): Buffer {
    const disk = Buffer.from(this.#base);
    const flushed = this.log.findLastIndex(({ kind }, i) => i < at && kind === 'flush');
    for (const [i, event] of this.log.slice(0, at).entries()) {
      if (event.kind === 'flush') continue;
      for (let from = 0; from < event.data.length; from += SECTOR) {
        if (i < flushed || keeps()) event.data.copy(disk, event.offset + from, from, from + SECTOR);
      }
    }
    return disk;
  }
}
