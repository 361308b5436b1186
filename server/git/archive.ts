import type { Readable } from 'node:stream';
import type { Oid } from '../domain/ids.ts';
import { streamGit } from './stream.ts';

export interface TarOptions {
  /** ASCII, ends with a slash. */
  readonly prefix?: string;
  /** Absolute path of a folder of objects that are taken before the repository's own. */
  readonly copies?: string;
  readonly signal?: AbortSignal;
}

/**
 * Streams a commit's files as a tar, with the commit's time as theirs. Only this format: for any other one git may run a program
 * that a configuration names.
 */
export function tarOfCommit(shadowDir: string, commit: Oid, { prefix, copies, signal }: TarOptions = {}): Readable {
  const args = ['archive', '--format=tar', ...(prefix === undefined ? [] : [`--prefix=${prefix}`]), commit];
  return streamGit(shadowDir, args, {
    config: SETTINGS,
    ...(copies !== undefined && { newObjects: copies }),
    ...(signal && { signal }),
  });
}

/** Files over the threshold are streamed rather than held in memory. The mask is git's own default, and no setting of a person's. */
const SETTINGS = ['core.bigFileThreshold=4m', 'tar.umask=0002'];
