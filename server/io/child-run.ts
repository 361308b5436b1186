import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, MARKER_VARIABLE, type StartedProcess } from './end-processes.ts';
import { keepTail } from './keep-tail.ts';
import type { ProcessEnding, ProcessRequest, ProcessResult } from './process-request.ts';
import { processStartTime } from './process-table.ts';
import { hasStreams, spawnPiped } from './spawn-piped.ts';

const DEFAULT_TAIL = 65_536;
const DEFAULT_GRACE_MS = 2_000;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How long a stream may stay open once every known process of the call is gone. */
const CLOSE_MS = 250;

type StreamName = 'stdout' | 'stderr';
type Exit = { readonly code: number | null; readonly signal: string | null };

/** One child process from its start to the end of all that it started; `start` first, then `finish`, each once. */
export class ChildRun {
  readonly #request: ProcessRequest;
  readonly #begun = performance.now();
  readonly #tails;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exit: Promise<Exit | Error> | undefined;
  #started: StartedProcess | undefined;
  #ended: ProcessEnding | undefined;
  #gone: Promise<readonly number[]> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #bytes = 0;
  #fault: { readonly thrown: unknown } | undefined;

  constructor(request: ProcessRequest) {
    const tail = request.tail_bytes ?? DEFAULT_TAIL;
    this.#request = request;
    this.#tails = { stdout: keepTail(tail), stderr: keepTail(tail) };
  }

  /** @returns the pid, where the system could start the program. */
  start(): number | undefined {
    if (this.#request.signal?.aborted) {
      this.#ended = 'aborted';
      return undefined;
    }
    const child = this.#spawn();
    if (child instanceof Error) {
      this.#exit = Promise.resolve(child);
      return undefined;
    }
    this.#exit = exitOf(child);
    if (!hasStreams(child)) return undefined;
    this.#child = child;
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      // A program that does not read its input closes the pipe (EPIPE): its right, and its exit tells the rest.
      stream.on('error', () => stream.destroy());
    }
    if (child.pid === undefined) return undefined;
    this.#started = { pid: child.pid, start_time: processStartTime(child.pid), marker: this.#request.marker };
    this.#guarded(() => this.#started && this.#request.onStart?.(this.#started));
    if (this.#request.stdin !== 'open') child.stdin.end(this.#request.stdin?.text);
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => this.#take(chunk, name));
    return child.pid;
  }

  async finish(): Promise<ProcessResult> {
    const child = this.#child;
    if (this.#exit === undefined) return this.#result({ code: null, signal: null }, []);
    const { wall_ms, idle_ms } = this.#request.limits ?? {};
    const wall =
      wall_ms === undefined ? undefined : setTimeout(() => this.end('wall'), Math.min(wall_ms, LONGEST_TIMER_MS));
    this.#idle =
      idle_ms === undefined ? undefined : setTimeout(() => this.end('idle'), Math.min(idle_ms, LONGEST_TIMER_MS));
    const abort = (): void => this.end('aborted');
    this.#request.signal?.addEventListener('abort', abort, { once: true });
    const exit = await this.#exit;
    this.#request.signal?.removeEventListener('abort', abort);
    clearTimeout(wall);
    clearTimeout(this.#idle);
    if (exit instanceof Error || child === undefined || this.#started === undefined) return this.#notStarted(exit);
    this.#ended ??= 'exit';
    this.#gone ??= this.#endAll(this.#started);
    const survivors = await this.#gone;
    await closedOrCut(child);
    if (this.#fault !== undefined) throw this.#fault.thrown;
    return this.#result(exit, survivors);
  }

  end(reason: ProcessEnding): void {
    if (this.#started === undefined || this.#ended !== undefined) return;
    this.#ended = reason;
    this.#gone = this.#endAll(this.#started);
  }

  write(text: string): boolean {
    if (this.#child?.stdin.writable !== true) return false;
    this.#child.stdin.write(text);
    return true;
  }

  closeStdin(): void {
    this.#child?.stdin.end();
  }

  #spawn(): ChildProcess | Error {
    const { argv, cwd, env, marker } = this.#request;
    try {
      return spawnPiped(argv, { cwd, env: { ...env, [MARKER_VARIABLE]: marker } });
    } catch (error) {
      if (error instanceof Error && 'code' in error) return error;
      throw error;
    }
  }

  #take(chunk: Buffer, name: StreamName): void {
    if (this.#ended === undefined) this.#idle?.refresh();
    const room = Math.max(0, (this.#request.limits?.output_bytes ?? Number.POSITIVE_INFINITY) - this.#bytes);
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes += kept.length;
    this.#tails[name].push(kept);
    if (kept.length > 0 && this.#fault === undefined) this.#guarded(() => this.#request.onOutput?.(kept, name));
    if (kept.length === chunk.length) return;
    this.end('output');
    if (this.#ended === 'exit') this.#ended = 'output';
  }

  /** Runs the caller's part: what it throws ends the call here, and is thrown where the caller waits. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#fault ??= { thrown };
      this.end('aborted');
    }
  }

  #endAll(started: StartedProcess): Promise<readonly number[]> {
    return endProcesses(started, { grace_ms: this.#request.limits?.grace_ms ?? DEFAULT_GRACE_MS });
  }

  #notStarted(exit: Exit | Error): ProcessResult {
    const { argv, cwd } = this.#request;
    const why = exit instanceof Error ? exit.message : 'no process id';
    this.#ended = 'spawn_failed';
    const spawn_error = `${argv[0] ?? 'an empty command'} could not be started in ${cwd}: ${why}`;
    return { ...this.#result({ code: null, signal: null }, []), spawn_error };
  }

  #result(exit: Exit, survivors: readonly number[]): ProcessResult {
    return {
      ended: this.#ended ?? 'exit',
      exit_code: exit.code,
      signal: exit.signal,
      stdout: this.#tails.stdout.text(),
      stderr: this.#tails.stderr.text(),
      output_bytes: this.#bytes,
      duration_ms: Math.round(performance.now() - this.#begun),
      survivors,
    };
  }
}

async function exitOf(child: ChildProcess): Promise<Exit | Error> {
  try {
    const [code, signal] = await once(child, 'exit');
    return { code, signal };
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/** A process that nobody knows of may hold a pipe for ever: what is open a moment after the end is cut. */
async function closedOrCut(child: ChildProcessWithoutNullStreams): Promise<void> {
  const closed = Promise.allSettled(
    [child.stdout, child.stderr].map((stream) => finished(stream, { writable: false })),
  );
  const settled = new AbortController();
  await Promise.race([closed, delay(CLOSE_MS, undefined, { signal: settled.signal }).catch(() => undefined)]);
  settled.abort();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
