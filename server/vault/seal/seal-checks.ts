import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { listRefs } from '../../git/refs.ts';
import { readBelow } from '../../io/safe-path.ts';
import type { LockedVault } from '../open-vault.ts';
import { isFile, isFolder, type Stamps } from './git-dir-stamps.ts';

/** Bytes of a file that the seal keeps a copy of. */
const MOST_COPIED = 1024 * 1024;
const FORBIDDEN =
  /^(?:commondir|config\.worktree|shallow|info\/grafts|objects\/info\/(?:http-)?alternates|refs\/replace\/.*)$/;

/** Refuses what leads git elsewhere, and everything that is neither file nor folder. Throws vault_tampered. */
export function refuseTraps(entries: Stamps): void {
  const traps = [...entries].filter(([path, stamp]) => FORBIDDEN.test(path) || !(isFile(stamp) || isFolder(stamp)));
  if (traps.length === 0 && isFolder(entries.get(''))) return;
  const names = traps.map(([path]) => `.git/${path}`);
  throw new DevLoopError(
    'vault_tampered',
    `no agent is let at a repository with ${names.join(', ') || 'no .git folder'}`,
    {
      data: { names },
      hint: 'Remove what does not belong there, or restore the project.',
    },
  );
}

/** Refuses refs that are not where the server put them. @returns those that only a person made. Throws vault_tampered. */
export function refuseStrayedRefs({ gitDir, refs }: LockedVault): ReadonlyMap<string, Oid> {
  const actual = listRefs(gitDir, 'refs/');
  const strayed = [...refs.all()].filter(([ref, oid]) => actual.get(ref) !== oid);
  if (strayed.length === 0) return new Map([...actual].filter(([ref]) => refs.get(ref) === undefined));
  const words = strayed.map(([ref, oid]) => `${ref} is at ${actual.get(ref) ?? 'nothing'}, not at ${oid}`);
  throw new DevLoopError('vault_tampered', `somebody else has moved refs: ${words.join('; ')}`, {
    data: { refs: strayed.map(([ref]) => ref) },
    hint: 'Keep what they point to under another name, and move them back with git update-ref.',
  });
}

/** Reads the files that nothing else has a copy of: objects come from the mirror, refs from the record, and the pinned files are known; anything else is copied. */
export function copiesOf({ gitDir }: LockedVault, entries: Stamps): ReadonlyMap<string, Buffer> {
  const copies = new Map<string, Buffer>();
  for (const [path, stamp] of entries) {
    if (!isFile(stamp) || /^(?:objects|refs)\/|^index(?:\.lock)?$/.test(path) || sizeOf(stamp) > MOST_COPIED) continue;
    const content = readBelow(gitDir, path, MOST_COPIED);
    if (content !== undefined) copies.set(path, content);
  }
  return copies;
}

const sizeOf = (stamp: string): number => Number(stamp.split(' ')[3]);
