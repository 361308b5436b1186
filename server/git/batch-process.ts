import { Socket } from 'node:net';
import { DevLoopError } from '../domain/errors.ts';
import { Fifo } from '../io/fifo.ts';
import { gitFailure } from './git-failure.ts';
import { SilenceClock } from './silence-clock.ts';
import { type GitProcess, startGit } from './stream.ts';

/** What cat-file tells of an object; `content` only where it was asked for and is not over the limit. */
export interface BatchReply {
  readonly kind: string;
  readonly size: number;
  readonly content?: Buffer;
}

export interface BatchRequest {
  readonly command: 'contents' | 'info';
  readonly oid: string;
  /** Bytes of content that are kept at most; the reply is without content beyond it. */
  readonly limit: number;
  /** `undefined`: the object is missing. */
  /** Times that a process has died at this request; the second one is the request's fault. */
  readonly deaths?: number;
  readonly resolve: (reply: BatchReply | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One `cat-file --batch-command`: requests go out as they come, replies are told apart by their order.
 * When it dies or hangs, the requests without a reply are handed to `onEnd`, but for the one that is at fault.
 */
export class BatchProcess {
  readonly #process: GitProcess;
  readonly #waiting = new Fifo<BatchRequest>();
  readonly #onEnd: (left: readonly BatchRequest[]) => void;
  #header: Buffer = EMPTY;
  #content: { reply: BatchReply; buffer: Buffer | undefined; filled: number } | undefined;
  readonly #clock: SilenceClock;
  #hung: DevLoopError | undefined;
  #closed = false;

  constructor(
    shadowDir: string,
    options: { readonly idle_ms: number; readonly onEnd: (left: readonly BatchRequest[]) => void },
  ) {
    this.#process = startGit(shadowDir, ARGS);
    this.#clock = new SilenceClock(shadowDir, {
      idle_ms: options.idle_ms,
      onGiveUp: (error) => {
        this.#hung = error;
        this.#process.end();
      },
    });
    this.#onEnd = options.onEnd;
    this.#process.child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#hold(false);
    void this.#process.closed.then((end) => this.#ended(end));
  }

  get busy(): boolean {
    return this.#waiting.length > 0;
  }

  send(request: BatchRequest): void {
    if (!this.busy) this.#hold(true);
    this.#waiting.add(request);
    this.#clock.start();
    this.#process.child.stdin.write(`${request.command} ${request.oid}\n`);
  }

  close(): void {
    this.#closed = true;
    this.#process.end();
  }

  /** Only a process that somebody waits for keeps the server's own process alive. */
  #hold(on: boolean): void {
    const { child } = this.#process;
    const handles = [child, ...[child.stdin, child.stdout, child.stderr].filter((stream) => stream instanceof Socket)];
    for (const handle of handles) on ? handle.ref() : handle.unref();
  }

  #take(chunk: Buffer): void {
    this.#clock.refresh();
    let rest = chunk;
    while (rest.length > 0) rest = this.#content === undefined ? this.#takeHeader(rest) : this.#takeContent(rest);
  }

  #takeHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(NEWLINE);
    this.#header = Buffer.concat([this.#header, end < 0 ? chunk : chunk.subarray(0, end)]);
    if (end < 0) return EMPTY;
    const [, kind = '', size = ''] = this.#header.toString('latin1').split(' ');
    this.#header = EMPTY;
    if (size === '') this.#answer(undefined);
    else this.#begin({ kind, size: Number(size) });
    return chunk.subarray(end + 1);
  }

  #begin(reply: BatchReply): void {
    const request = this.#waiting.first;
    if (request?.command === 'contents') {
      const buffer = reply.size <= request.limit ? Buffer.allocUnsafe(reply.size) : undefined;
      this.#content = { reply, buffer, filled: 0 };
    } else {
      this.#answer(reply);
    }
  }

  #takeContent(chunk: Buffer): Buffer {
    const content = this.#content;
    if (content === undefined) return chunk;
    const taken = Math.min(chunk.length, content.reply.size - content.filled);
    if (content.buffer !== undefined) chunk.copy(content.buffer, content.filled, 0, taken);
    content.filled += taken;
    // The content is followed by a newline of its own.
    if (taken === chunk.length) return EMPTY;
    this.#content = undefined;
    this.#answer(content.buffer === undefined ? content.reply : { ...content.reply, content: content.buffer });
    return chunk.subarray(taken + 1);
  }

  #answer(reply: BatchReply | undefined): void {
    this.#waiting.take()?.resolve(reply);
    if (this.busy) return;
    this.#clock.stop();
    this.#hold(false);
  }

  #ended(end: Awaited<GitProcess['closed']>): void {
    this.#clock.stop();
    const [at, ...rest] = this.#waiting.takeAll();
    if (at === undefined) {
      this.#onEnd([]);
    } else if (this.#closed) {
      for (const request of [at, ...rest]) request.reject(deathError(request, end));
      this.#onEnd([]);
    } else if (at.deaths === undefined && this.#hung === undefined) {
      this.#onEnd([{ ...at, deaths: 1 }, ...rest]);
    } else {
      at.reject(this.#hung === undefined ? deathError(at, end) : hungError(at, this.#hung));
      this.#onEnd(rest);
    }
  }
}

const ARGS = ['cat-file', '--batch-command'];
const EMPTY: Buffer = Buffer.alloc(0);
const NEWLINE = 0x0a;

function hungError({ oid }: BatchRequest, cause: DevLoopError): DevLoopError {
  return new DevLoopError(cause.code, `object ${oid} could not be read: ${cause.message}`, {
    data: { ...cause.data, oid },
    cause,
  });
}

function deathError({ oid }: BatchRequest, end: Awaited<GitProcess['closed']>): DevLoopError {
  const cause = gitFailure({ args: ARGS, ...end });
  return new DevLoopError(cause.code, `object ${oid} cannot be read: ${cause.message}`, {
    data: { ...cause.data, oid },
    cause,
  });
}
