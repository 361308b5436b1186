import type { StartedProcess } from './end-processes.ts';

export interface ProcessRequest {
  /** Program and arguments; no shell. The program is looked up in the PATH of `env`. */
  readonly argv: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment; the marker is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Unique for this call and hard to guess; everything that carries it in its environment is ended with the process. */
  readonly marker: string;
  /** Written to the standard input, which is then closed; 'open' leaves it to `write`. Closed at once where absent. */
  readonly stdin?: { readonly text: string } | 'open';
  readonly limits?: ProcessLimits;
  readonly signal?: AbortSignal;
  /** Bytes kept of the end of each stream; 65,536 where absent. */
  readonly tail_bytes?: number;
  readonly onStart?: (process: StartedProcess) => void;
  /** Given each chunk as it comes; a chunk ends anywhere, also within a character. What it throws ends the call and rejects `done`. */
  readonly onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
}

interface ProcessLimits {
  readonly wall_ms?: number;
  /** Time without a byte on either stream. */
  readonly idle_ms?: number;
  /** Of both streams together; what comes after is neither kept nor handed on, and the process is ended. */
  readonly output_bytes?: number;
  /** Between the request to end and the kill; 2,000 where absent. */
  readonly grace_ms?: number;
}

export type ProcessEnding = 'exit' | 'wall' | 'idle' | 'output' | 'aborted' | 'spawn_failed';

export interface ProcessResult {
  /** What came first; 'exit' is the process's own end. */
  readonly ended: ProcessEnding;
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** The ends of the streams, as text. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that were handed on. */
  readonly output_bytes: number;
  readonly duration_ms: number;
  /** Why the process could not be started. */
  readonly spawn_error?: string;
  /** Ids of processes of the call that even a kill did not end. */
  readonly survivors: readonly number[];
}

export interface RunningProcess {
  readonly pid: number | undefined;
  /** Resolves when the process, its group and all that carries its marker are gone; never rejects for what the program does. */
  readonly done: Promise<ProcessResult>;
  /** Writes to a standard input that was left open; false where nobody can read it any more. */
  write(text: string): boolean;
  closeStdin(): void;
  /** Ends the whole call; `done` tells 'aborted' where nothing came first. */
  end(): void;
}
