import { lstatSync } from 'node:fs';
import { MAIN } from '../../domain/ref-names.ts';
import type { OpenVault } from '../open-vault.ts';

/** True where `.git` is gone, or main's commit is. */
export function isRepositoryLost({ gitDir, refs, objects }: OpenVault): boolean {
  const head = refs.get(MAIN);
  if (head === undefined) return false;
  const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return !isFolder(gitDir) || !isFolder(`${gitDir}/objects`) || !objects.has(head);
}
