import { readFileSync } from 'node:fs';
import { appendToCopy, copyIsTrue, makeCopyTrue } from './ledger-copy.ts';
import { findLedgerTruth } from './ledger-truth.ts';
import { SeqLog, type SeqRecord } from './seq-log.ts';
import { keepTorn, type OwnFile } from './set-aside.ts';

/**
 * One ledger of a project, twice on the disk: the server's own lines in the state folder, which count, and the copy in the
 * project's folder, which people, scripts and commits read and an agent may have touched.
 */
export class Ledger {
  readonly #file: OwnFile;
  readonly #lines: SeqLog;
  /** Is told what was set aside. */
  readonly #report: (what: string) => void;
  #position: number;

  /** Opens the ledger, cuts off torn lines, and makes the copy what the server wrote. */
  constructor(file: OwnFile, report: (what: string) => void) {
    this.#file = file;
    this.#report = report;
    const { path, end, position } = findLedgerTruth(file);
    const onTorn = (bytes: Uint8Array): void =>
      report(`${file.name}: ${bytes.length} torn bytes; kept in ${keepTorn(file, bytes)}`);
    this.#lines = new SeqLog(path, { cutFrom: end, onTorn });
    this.#position = position;
    for (const line of this.#lines.damaged) report(`${file.name}: line ${line} is damaged`);
    this.makeTrue();
  }

  get name(): string {
    return this.#file.name;
  }

  /** Number of the newest line; 0 where there is none. */
  get last(): number {
    return this.#lines.last;
  }

  /** Journal position of the newest lines; 0 where there are none. */
  get position(): number {
    return this.#position;
  }

  /**
   * Appends the lines that a journal position caused, once: lines at or below the last position are there already. Durable after
   * `sync`.
   * @returns false where the copy was not what the server had written; it is now.
   */
  append(lines: readonly SeqRecord[], position: number): boolean {
    if (lines.length === 0) return true;
    if (position <= this.#position) return !this.makeTrue();
    const before = this.#lines.log.bytes;
    const last = lines.length - 1;
    const written = this.#lines.append(lines.map((line, i) => (i === last ? { ...line, pos: position } : line)));
    this.#position = position;
    if (appendToCopy(this.#file, written, before)) return true;
    this.makeTrue();
    return false;
  }

  sync(): Promise<void> {
    return this.#lines.log.sync();
  }

  readAfter(seq: number): Generator<SeqRecord> {
    return this.#lines.readAfter(seq);
  }

  /** True where the copy is what the server wrote. */
  check(): boolean {
    return copyIsTrue(this.#file, this.#truth());
  }

  /** Makes the copy what the server wrote; what was not is set aside, and reported. @returns whether something was */
  makeTrue(): boolean {
    const kept = makeCopyTrue(this.#file, this.#truth());
    if (kept !== undefined) this.#report(kept);
    return kept !== undefined;
  }

  #truth(): Buffer {
    return readFileSync(this.#lines.log.path);
  }
}
