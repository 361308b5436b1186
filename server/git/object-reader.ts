import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { BatchProcess, type BatchReply, type BatchRequest } from './batch-process.ts';
import { noteRest, noteUse, type Sleeper } from './live-readers.ts';
import { hashObject, type ObjectKind, objectHeader } from './objects/object-id.ts';
import { streamGit } from './stream.ts';

export interface GitObject {
  readonly kind: ObjectKind;
  readonly content: Buffer;
}

export interface ObjectReader {
  /**
   * Reads an object whole. What comes back hashes to the id that was asked for.
   * @param limit bytes of content; 256 MiB where absent
   * @throws DevLoopError object_missing, vault_damaged (unreadable, or other content than its id says), body_too_large, timeout
   */
  read(oid: Oid, limit?: number): Promise<GitObject>;
  /** Kind and size in bytes, as stored: the content is not looked at. */
  stat(oid: Oid): Promise<{ readonly kind: ObjectKind; readonly size: number } | undefined>;
  /** A blob of any size; the stream is destroyed at its end where the content does not hash to the id. */
  stream(oid: Oid, signal?: AbortSignal): Promise<Readable>;
  /** Reads a blob of any size only to see that its content hashes to its id. Throws as `read`. */
  check(oid: Oid): Promise<void>;
  /** Ends the process; requests that wait fail. Reading again starts a new one. */
  close(): void;
}

export interface ReaderOptions {
  /** Milliseconds after which a process that nobody asks is ended; 10,000 where absent. */
  readonly rest_ms?: number;
  /** Milliseconds that one object may take without a byte; 10,000 where absent. */
  readonly idle_ms?: number;
}

/** Opens a reader of a repository's objects. Costs nothing until the first request. */
export function openObjectReader(shadowDir: string, options: ReaderOptions = {}): ObjectReader {
  return new BatchReader(shadowDir, options);
}

const DEFAULT_LIMIT = 256 * 1024 * 1024;
/** Bytes up to which a stream is made from one read. */
const SMALL = 1024 * 1024;

class BatchReader implements ObjectReader, Sleeper {
  readonly #shadowDir: string;
  readonly #options: Required<ReaderOptions>;
  #process: BatchProcess | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(shadowDir: string, options: ReaderOptions) {
    this.#shadowDir = shadowDir;
    this.#options = { rest_ms: 10_000, idle_ms: 10_000, ...options };
  }

  get busy(): boolean {
    return this.#process?.busy ?? false;
  }

  async read(oid: Oid, limit = DEFAULT_LIMIT): Promise<GitObject> {
    const reply = await this.#ask('contents', oid, limit);
    if (reply === undefined) throw missing(oid);
    if (reply.content === undefined) throw tooLarge(oid, reply.size, limit);
    const kind = kindOf(oid, reply.kind);
    const hash = hashObject(kind, reply.content);
    if (hash !== oid) throw swapped(oid, hash);
    return { kind, content: reply.content };
  }

  async stat(oid: Oid): Promise<{ readonly kind: ObjectKind; readonly size: number } | undefined> {
    const reply = await this.#ask('info', oid, 0);
    return reply && { kind: kindOf(oid, reply.kind), size: reply.size };
  }

  async stream(oid: Oid, signal?: AbortSignal): Promise<Readable> {
    const about = await this.stat(oid);
    if (about === undefined) throw missing(oid);
    if (about.kind !== 'blob') throw damaged(oid, `object ${oid} is a ${about.kind}, not a blob`);
    if (about.size <= SMALL) return Readable.from([(await this.read(oid)).content], { objectMode: false });
    const check = verifiedBlob(oid, about.size);
    // The error reaches whoever reads the check; pipeline wants a callback all the same.
    return pipeline(streamGit(this.#shadowDir, ['cat-file', 'blob', oid], signal ? { signal } : {}), check, () => {});
  }

  async check(oid: Oid): Promise<void> {
    for await (const chunk of await this.stream(oid)) void chunk;
  }

  close(): void {
    this.sleep();
  }

  sleep(): void {
    clearTimeout(this.#rest);
    noteRest(this);
    this.#process?.close();
    this.#process = undefined;
  }

  async #ask(command: BatchRequest['command'], oid: Oid, limit: number): Promise<BatchReply | undefined> {
    noteUse(this);
    clearTimeout(this.#rest);
    const reply = new Promise<BatchReply | undefined>((resolve, reject) =>
      this.#send({ command, oid, limit, resolve, reject }),
    );
    return reply.finally(() => this.#restLater());
  }

  #send(request: BatchRequest): void {
    this.#process ??= this.#start();
    this.#process.send(request);
  }

  #start(): BatchProcess {
    const started: BatchProcess = new BatchProcess(this.#shadowDir, {
      idle_ms: this.#options.idle_ms,
      onEnd: (left) => this.#ended(started, left),
    });
    return started;
  }

  #ended(process: BatchProcess, left: readonly BatchRequest[]): void {
    if (this.#process === process) this.#process = undefined;
    for (const request of left) this.#sendAgain(request);
  }

  #sendAgain(request: BatchRequest): void {
    try {
      this.#send(request);
    } catch (error) {
      request.reject(error);
    }
  }

  #restLater(): void {
    if (this.busy) return;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.sleep(), this.#options.rest_ms).unref();
  }
}

const KINDS: ReadonlySet<string> = new Set<ObjectKind>(['blob', 'tree', 'commit', 'tag']);

function kindOf(oid: Oid, kind: string): ObjectKind {
  if (!KINDS.has(kind)) throw damaged(oid, `object ${oid} is of the unknown kind ${kind}`);
  return kind as ObjectKind;
}

/** Passes a blob's content on and fails at its end where it does not hash to the id. */
function verifiedBlob(oid: Oid, size: number): Transform {
  const hash = createHash('sha1').update(objectHeader('blob', size));
  return new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      hash.update(chunk);
      done(undefined, chunk);
    },
    flush(done): void {
      const now = hash.digest('hex');
      done(now === oid ? undefined : swapped(oid, now));
    },
  });
}

function missing(oid: Oid): DevLoopError {
  return new DevLoopError('object_missing', `object ${oid} is not in the repository`, { data: { oid } });
}

function tooLarge(oid: Oid, size: number, limit: number): DevLoopError {
  return new DevLoopError('body_too_large', `object ${oid} has ${size} bytes, at most ${limit} are read at once`, {
    data: { oid, size, limit },
  });
}

function swapped(oid: Oid, hash: string): DevLoopError {
  return damaged(oid, `object ${oid} has the content of ${hash}`);
}

function damaged(oid: Oid, message: string): DevLoopError {
  return new DevLoopError('vault_damaged', message, { data: { oid } });
}
