import { join } from 'node:path';
import { z } from 'zod';
import { DevLoopError } from '../domain/errors.ts';
import { type Oid, parseOid, ZERO_OID } from '../domain/ids.ts';
import { MAIN } from '../domain/ref-names.ts';
import type { ObjectStore } from '../git/objects/object-store.ts';
import type { RefUpdate } from '../git/ref-transaction.ts';
import { type AppendLog, openAppendLog } from '../io/append-log.ts';
import { confirmMoved } from './confirm-move.ts';
import { isMirroredMove } from './mirror/mirror-dir.ts';
import { readLines } from './read-lines.ts';
import { isRefusal } from './refusal.ts';

/** A move of refs, as it is written down before any ref moves. */
export interface RefMove {
  readonly updates: readonly RefUpdate[];
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly commit?: RecordedCommit;
}

/** Which call made which commit. */
export interface RecordedCommit {
  readonly key: string;
  readonly sha: Oid;
  readonly tree: Oid;
  /** Short name of the tag that was made with it. */
  readonly tag?: string;
}

/** What the refs are by the server's own record (refs.ndjson), and which call made which commit. */
export interface RefsRecord {
  get(ref: string): Oid | undefined;
  /** By full name. */
  all(): ReadonlyMap<string, Oid>;
  committed(key: string): RecordedCommit | undefined;
  /** The tree of a commit that is recorded. */
  treeOf(sha: Oid): Oid | undefined;
  /** The last move, while it is not known whether it came to pass. */
  readonly pending: RefMove | undefined;
  /** Lines that cannot be read. */
  readonly damaged: number;
  /** Notes that refs are about to move; durable when it resolves. */
  begin(move: RefMove): Promise<void>;
  /** The line of the next move. */
  next(move: RefMove): RefMoveLine;
  /** As `begin`, durable once synced. */
  note(line: RefMoveLine): void;
  /** Makes all lines durable. */
  sync(): Promise<void>;
  /**
   * Takes a line that a power cut may have taken, durably, unless the record goes on without it, or it is of another record: one that
   * was brought back from a backup, or was of a project of the same name. @returns whether it stands
   */
  takeAgain(line: RefMoveLine): Promise<boolean>;
  /** Says that the pending move came to pass. */
  confirm(): void;
  /** Says, durably, that the pending move did not come to pass, and never will. */
  revoke(): Promise<void>;
  /** Writes down that the last move came to pass: whatever becomes of refs and objects after a kill, it is not in doubt. */
  tell(): void;
  /** Writes nothing any more. */
  close(): void;
}

/** A move with its number, as it stands in the record. */
export interface RefMoveLine extends RefMove {
  readonly n: number;
}

const oid = z.string().transform((text) => parseOid(text));
const moveSchema = z.object({
  n: z.int(),
  updates: z.array(z.object({ ref: z.string(), old: oid, new: oid })),
  ts: z.string(),
  commit: z.object({ key: z.string(), sha: oid, tree: oid, tag: z.string().optional() }).optional(),
});
const lineSchema = z.union([z.object({ revoked: z.int() }), z.object({ confirmed: z.int() }), moveSchema]);

/** Reads a line of a move. Throws ZodError. */
export function parseMoveLine(value: unknown): RefMoveLine {
  const { commit, ...move } = moveSchema.parse(value);
  return commit === undefined ? move : { ...move, commit: withTag(commit) };
}

/** Reads the record in the server's folder for a project, which must be there; the last move is looked up among the refs and in the mirror. */
export function openRefsRecord(state: string, gitDir: string, objects: Pick<ObjectStore, 'has'>): RefsRecord {
  const path = join(state, 'refs.ndjson');
  const lines = readLines(path);
  const record = new LoggedRefs(path, lines.slice(0, -1).filter((line) => line === undefined).length);
  for (const line of lines) if (line !== undefined) record.replay(line);
  confirmMoved(record, gitDir, objects);
  if (record.pending !== undefined && isMirroredMove(state, record.pending)) record.confirm();
  return record;
}

class LoggedRefs implements RefsRecord {
  readonly #path: string;
  /** Opened when something is to be written. */
  #opened: AppendLog | undefined;
  readonly #refs = new Map<string, Oid>();
  readonly #commits = new Map<string, RecordedCommit>();
  readonly #trees = new Map<Oid, Oid>();
  readonly damaged: number;
  pending: RefMove | undefined;
  /** Number of the last move. */
  #n = 0;
  /** Whether a line says what became of it. */
  #told = true;
  /** Whether that is that it never came to pass. */
  #revoked = false;
  #closed = false;

  constructor(path: string, damaged: number) {
    this.#path = path;
    this.damaged = damaged;
  }

  get #log(): AppendLog {
    this.#opened ??= openAppendLog(this.#path).log;
    return this.#opened;
  }

  get(ref: string): Oid | undefined {
    return this.#refs.get(ref);
  }

  all(): ReadonlyMap<string, Oid> {
    return this.#refs;
  }

  committed(key: string): RecordedCommit | undefined {
    return this.#commits.get(key);
  }

  treeOf(sha: Oid): Oid | undefined {
    return this.#trees.get(sha);
  }

  /** Takes a line that was written before: the move on the line above came to pass unless this one revokes it. */
  replay(line: Readonly<Record<string, unknown>>): void {
    const parsed = lineSchema.parse(line);
    if ('revoked' in parsed) {
      // A move whose own line never reached the disk may be revoked as well.
      if (parsed.revoked === this.#n) this.pending = undefined;
      this.#revoked = parsed.revoked === this.#n;
      this.#told = true;
      return;
    }
    this.confirm();
    if ('confirmed' in parsed) {
      this.#told = true;
      return;
    }
    this.#begun(parseMoveLine(parsed));
  }

  async begin(move: RefMove): Promise<void> {
    this.note(this.next(move));
    await this.sync();
  }

  next(move: RefMove): RefMoveLine {
    return { n: this.#n + 1, ...move };
  }

  note(line: RefMoveLine): void {
    if (this.pending !== undefined) {
      throw new DevLoopError('internal', 'refs are about to move while it is not known whether they moved before');
    }
    this.#log.append([{ ...line }]);
    this.#begun(line);
  }

  async takeAgain(line: RefMoveLine): Promise<boolean> {
    if (!(line.n === this.#n ? this.#isLast(line) : this.#isNext(line))) return false;
    this.confirm();
    this.#log.append([{ ...line }]);
    this.#begun(line);
    await this.#log.sync();
    return true;
  }

  #isLast(line: RefMoveLine): boolean {
    return !this.#revoked && (mainIn(line)?.new ?? this.#main) === this.#main;
  }

  #isNext(line: RefMoveLine): boolean {
    return line.n === this.#n + 1 && (mainIn(line)?.old ?? this.#main) === this.#main;
  }

  /** What main is where the last move came to pass. */
  get #main(): Oid {
    return (this.pending && mainIn(this.pending)?.new) ?? this.#refs.get(MAIN) ?? ZERO_OID;
  }

  #begun({ n, ...move }: RefMoveLine): void {
    this.#n = n;
    this.#told = false;
    this.#revoked = false;
    this.pending = move;
  }

  sync(): Promise<void> {
    return this.#log.sync();
  }

  confirm(): void {
    const { updates = [], commit } = this.pending ?? {};
    this.pending = undefined;
    for (const { ref, new: value } of updates) {
      if (value === ZERO_OID) this.#refs.delete(ref);
      else this.#refs.set(ref, value);
    }
    if (commit === undefined) return;
    this.#commits.set(commit.key, commit);
    this.#trees.set(commit.sha, commit.tree);
  }

  async revoke(): Promise<void> {
    if (this.pending === undefined) return;
    this.#log.append([{ revoked: this.#n }]);
    this.#told = true;
    this.#revoked = true;
    this.pending = undefined;
    await this.#log.sync();
  }

  tell(): void {
    if (this.#told || this.#closed || this.pending !== undefined) return;
    try {
      this.#log.append([{ confirmed: this.#n }]);
      this.#told = true;
    } catch (error) {
      // Where the disk takes nothing the refs alone tell, as after a kill.
      if (!isRefusal(error)) throw error;
    }
  }

  close(): void {
    this.#closed = true;
  }
}

const mainIn = ({ updates }: RefMove): RefUpdate | undefined => updates.find(({ ref }) => ref === MAIN);

function withTag({ tag, ...commit }: { key: string; sha: Oid; tree: Oid; tag?: string | undefined }): RecordedCommit {
  return tag === undefined ? commit : { ...commit, tag };
}
