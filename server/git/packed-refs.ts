import { DevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { readGitFile } from './read-git-file.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const OID_LENGTH = 40;

/** Reads the refs that git has packed into one file, by full name; peeled values are passed over. */
export function readPackedRefs(gitDir: string): ReadonlyMap<string, Oid> {
  const refs = new Map<string, Oid>();
  for (const line of packedLines(gitDir)) {
    const ref = /^([0-9a-f]{40}) (\S.*)$/.exec(line);
    if (ref?.[1] !== undefined && ref[2] !== undefined) refs.set(ref[2], ref[1] as Oid);
    else if (!/^[#^]/.test(line)) throw new DevLoopError('vault_damaged', 'packed-refs is damaged', { data: { line } });
  }
  return refs;
}

/** The file's bytes without these refs. */
export function packedRefsWithout(gitDir: string, gone: ReadonlySet<string>): Buffer {
  let dropping = false;
  const kept = packedLines(gitDir).filter((line) => {
    // A line with the peeled value belongs to the ref on the line before.
    if (!line.startsWith('^')) dropping = gone.has(line.slice(OID_LENGTH + 1));
    return !dropping;
  });
  return Buffer.from(kept.map((line) => `${line}\n`).join(''), 'latin1');
}

function packedLines(gitDir: string): string[] {
  const text = readGitFile(gitDir, 'packed-refs', MOST_BYTES)?.toString('latin1') ?? '';
  return text.split('\n').filter((line) => line !== '');
}
