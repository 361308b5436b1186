import { hasCode } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';
import { withoutColours } from './readers/read-output.ts';

/** What programs printed, in the order in which it came. */
export interface Output {
  readonly take: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
  bytes(): Uint8Array;
  /** As UTF-8; of one stream, or of both as they came. */
  text(stream?: 'stdout' | 'stderr'): string;
  /** The last 8,000 characters, without colours. */
  tail(): string;
}

const TAIL = 8_000;

/** Keeps what is printed in memory: the run's limit of bytes bounds it. */
export function collectOutput(): Output {
  const chunks: { readonly chunk: Uint8Array; readonly stream: 'stdout' | 'stderr' }[] = [];
  const bytes = (stream?: 'stdout' | 'stderr'): Buffer =>
    Buffer.concat(chunks.filter((one) => stream === undefined || one.stream === stream).map((one) => one.chunk));
  return {
    take: (chunk, stream) => void chunks.push({ chunk, stream }),
    bytes: () => bytes(),
    text: (stream) => bytes(stream).toString('utf8'),
    tail: () => withoutColours(bytes().toString('utf8')).slice(-TAIL),
  };
}

/** A program's file may be anything by now: what is no regular file of a sane size does not count. */
export function readIfFile(root: string, path: string): string | undefined {
  try {
    return readBelow(root, path, MAX_FILE)?.toString('utf8');
  } catch (error) {
    if (hasCode(error, 'path_refused', 'too_large')) return undefined;
    throw error;
  }
}

const MAX_FILE = 64 * 1024 * 1024;
