import { makeRepository } from '../../git/new-repository.ts';
import { restoreObjects } from '../mirror/restore-objects.ts';
import { finishRestoring } from '../mirror/restore-repository.ts';
import type { LockedVault } from '../open-vault.ts';
import type { Tampering } from './find-tampering.ts';
import { foreignTips } from './foreign-tips.ts';
import { isFile, isFolder } from './git-dir-stamps.ts';
import { keepForeignCommits } from './keep-foreign.ts';
import { restoreEntries } from './restore-entries.ts';
import type { Seal } from './seal-file.ts';
import { openSetAside } from './set-aside.ts';

/**
 * Makes `.git` again what its seal says: what somebody else put there is moved aside, what is gone comes from the seal's copies
 * and the mirror, refs go back, and commits that were made are kept as rescues.
 * @returns what could not be kept, in words
 */
export async function putGitBack(
  vault: LockedVault,
  { seal, found }: { readonly seal: Seal; readonly found: readonly Tampering[] },
): Promise<readonly string[]> {
  const expected = new Map([...seal.ownRefs, ...vault.refs.all()]);
  const tips = foreignTips(vault, { found, expected });
  const aside = await openSetAside(vault);
  aside.move(found.filter(({ was, is }) => !(isFolder(was) && isFolder(is))));
  makeRepository(vault.gitDir);
  restoreEntries(vault.gitDir, found, seal.copies);
  if (found.some(isLostObject)) await restoreObjects(vault);
  await finishRestoring(vault, expected);
  const lost = await keepForeignCommits(vault, { tips, objects: aside.objects });
  return lost.map((oid) => `commit ${oid} that somebody else made is damaged and was set aside`);
}

const isLostObject = ({ path, was }: Tampering): boolean => path === '' || (path.startsWith('objects/') && isFile(was));
