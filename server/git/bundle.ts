import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { Oid } from '../domain/ids.ts';
import { streamGit } from './stream.ts';

/**
 * Streams a bundle (format version 2) of some refs and all that they reach. The refs are the caller's, not the repository's:
 * the format is a list of names before a pack, so that git need not look at any ref.
 */
export function bundleOf(shadowDir: string, refs: ReadonlyMap<string, Oid>, signal?: AbortSignal): Readable {
  const header = `# v2 git bundle\n${[...refs].map(([name, oid]) => `${oid} ${name}\n`).join('')}\n`;
  const pack = packOf(shadowDir, { want: [...refs.values()], ...(signal ? { signal } : {}) });
  const output = new PassThrough();
  output.write(header, 'latin1');
  return pipeline(pack, output, () => {});
}

export interface PackRequest {
  readonly want: readonly Oid[];
  /** What these reach is left out. */
  readonly have?: readonly Oid[];
  /** Looks for no similar objects: larger, and many times faster. */
  readonly quick?: boolean;
  /** Absolute path of a folder with objects besides the repository's own. */
  readonly newObjects?: string;
  readonly signal?: AbortSignal;
}

/** Streams a pack of everything that some objects reach and others do not. */
export function packOf(
  shadowDir: string,
  { want, have = [], quick = false, newObjects, signal }: PackRequest,
): Readable {
  const stdin = [...want, ...have.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  const args = ['pack-objects', '--revs', '--stdout', '--delta-base-offset', '-q', ...(quick ? ['--window=0'] : [])];
  return streamGit(shadowDir, args, {
    stdin,
    limits: { idle_ms: 600_000 },
    ...(newObjects && { newObjects }),
    ...(signal && { signal }),
  });
}
