import { IoError } from '../../io/io-error.ts';
import { readBelow } from '../../io/safe-path.ts';
import type { Tampering } from './find-tampering.ts';
import { isFolder, type Stamp, type Stamps, stampGitDir } from './git-dir-stamps.ts';
import type { Seal } from './seal-file.ts';

/** What the server itself writes to `.git` are objects and refs. */
export const isServers = (path: string): boolean => /^(?:objects|refs)(?:\/|$)|^packed-refs$/.test(path);

/**
 * What `.git` should be once what was found is put back. New stamps are taken of that alone, and of what the server writes: what an
 * agent that is still at work changes meanwhile is not what the seal says, and is found by the next check.
 */
export function reseal(
  gitDir: string,
  { seal, found }: { readonly seal: Seal; readonly found: readonly Tampering[] },
): Stamps {
  const now = stampGitDir(gitDir);
  const back = new Set(found.map(({ path }) => path));
  const entries = new Map<string, Stamp>();
  for (const [path, was] of seal.entries) {
    const is = now.get(path);
    const copy = seal.copies.get(path);
    const isTaken = path === 'packed-refs' || (back.has(path) && (copy === undefined || isCopy(gitDir, path, copy)));
    if (is !== undefined && isTaken) entries.set(path, is);
    // Objects and refs may be back in other files; what there is no copy of is not put back.
    else if (is !== undefined || copy !== undefined || isFolder(was)) entries.set(path, was);
  }
  for (const [path, is] of now) if (isServers(path) && !entries.has(path)) entries.set(path, is);
  return entries;
}

function isCopy(gitDir: string, path: string, copy: Buffer): boolean {
  try {
    return readBelow(gitDir, path, copy.length)?.equals(copy) ?? false;
  } catch (error) {
    if (error instanceof IoError) return false;
    throw error;
  }
}
