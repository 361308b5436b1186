import { randomBytes } from 'node:crypto';
import type { UnreadReason } from '../domain/comparison.ts';
import type { ProcessResult } from '../io/process-request.ts';
import { runProcess } from '../io/run-process.ts';
import type { ReadRequest } from './reader/requests.ts';
import { readerCode } from './reader-code.ts';
import { UnreadError } from './unread-error.ts';

/** How programs are confined here; a sandbox of the server is one. */
export interface Confinement {
  readonly layers: readonly string[];
  /** The host's PATH. */
  readonly path: string;
  confine(command: {
    readonly argv: readonly string[];
    readonly cwd: string;
    readonly root: string;
    readonly writable: readonly string[];
    readonly protected: readonly string[];
    readonly hidden: readonly string[];
    readonly network: 'own';
  }): readonly string[];
}

export interface ReaderRun {
  readonly request: ReadRequest;
  /** Absolute path of the folder with the files of the request, without links. */
  readonly folder: string;
  readonly sandbox: Confinement;
  readonly timeout_ms: number;
  /** Gets what it writes, also where it fails then. */
  readonly out?: Uint8Array[];
  readonly signal?: AbortSignal | undefined;
}

/** Of a reader's process; what goes beyond ends it. */
const LIMITS = {
  heap_mb: 384,
  /** Of all its memory, Node's own half a gigabyte of reserves included. */
  data_kb: 2_500_000,
  compare_bytes: 24 << 20,
  picture_bytes: 96 << 20,
} as const;

/** The first argument is the limit of memory, the second of processor time; what a system does not know of is left out. */
const LIMITED = 'ulimit -d "$1"; ulimit -t "$2"; ulimit -c 0; shift 2; exec "$@"';

/** What holds a reader's process here. */
export function readUnder({ layers }: Confinement): readonly string[] {
  return ['process', 'limits', 'permissions', ...layers.filter((layer) => layer === 'bubblewrap')];
}

/** Runs the program that reads documents once: no file but those of the request and its own code, no network, nothing to write. Throws UnreadError. */
export async function runReader({
  request,
  folder,
  sandbox,
  timeout_ms,
  signal,
  out = [],
}: ReaderRun): Promise<Buffer> {
  const { main, readable } = readerCode();
  const seconds = Math.ceil(timeout_ms / 1000) * 2;
  const node = [
    process.execPath,
    `--max-old-space-size=${LIMITS.heap_mb}`,
    '--permission',
    ...[...readable, folder].map((path) => `--allow-fs-read=${path}`),
    // The library that draws is a native one.
    ...(request.kind === 'document' ? [] : ['--allow-addons']),
    '--disallow-code-generation-from-strings',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ];
  const argv = [
    '/bin/sh',
    '-c',
    LIMITED,
    'sh',
    `${LIMITS.data_kb}`,
    `${seconds}`,
    ...node,
    main,
    JSON.stringify(request),
  ];
  const result = await runProcess({
    argv: sandbox.confine({ argv, cwd: folder, root: folder, writable: [], protected: [], hidden: [], network: 'own' }),
    cwd: folder,
    env: { PATH: sandbox.path, HOME: folder, LANG: 'C.UTF-8' },
    marker: randomBytes(16).toString('hex'),
    limits: {
      wall_ms: timeout_ms,
      output_bytes: request.task === 'compare' ? LIMITS.compare_bytes : LIMITS.picture_bytes,
      grace_ms: 0,
    },
    tail_bytes: 4_096,
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') out.push(chunk);
    },
    ...(signal !== undefined && { signal }),
  });
  if (result.ended === 'exit' && result.exit_code === 0) return Buffer.concat(out);
  signal?.throwIfAborted();
  throw new UnreadError(...failureOf(result, timeout_ms));
}

function failureOf(result: ProcessResult, timeout_ms: number): readonly [UnreadReason, string] {
  const { ended, stderr, exit_code, signal, spawn_error } = result;
  if (ended === 'wall') return ['timeout', `took more than ${Math.round(timeout_ms / 1000)} s`];
  if (ended === 'output') return ['too_different', 'the answer is too long'];
  if (/out of memory|allocation failed|bad_alloc|ERR_MEMORY_ALLOCATION/i.test(stderr))
    return ['memory', 'takes more memory than it may'];
  // Of a fault of the program, what it says; not where it is.
  const said = /^(\w*Error(?: \[\w+\])?: [^\n]{0,200})/m.exec(stderr)?.[1];
  const how = spawn_error ?? said ?? (signal === null ? `status ${exit_code}` : `signal ${signal}`);
  return ['crashed', `the program that reads it ended: ${how}`];
}
