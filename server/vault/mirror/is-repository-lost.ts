import { lstatSync } from 'node:fs';
import { isDevLoopError } from '../../domain/errors.ts';
import { MAIN } from '../../domain/ref-names.ts';
import { readRef } from '../../git/refs.ts';
import { IoError } from '../../io/io-error.ts';
import type { OpenVault } from '../open-vault.ts';

/**
 * True where `.git` is gone, or main's ref or commit is. A main that is elsewhere, or damaged, is not lost: somebody must say
 * what is to become of it.
 */
export function isRepositoryLost({ gitDir, refs, objects }: OpenVault): boolean {
  const head = refs.get(MAIN);
  if (head === undefined) return false;
  const folders = [gitDir, `${gitDir}/objects`].every((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory(),
  );
  return !folders || !objects.has(head) || !hasMain(gitDir);
}

function hasMain(gitDir: string): boolean {
  try {
    return readRef(gitDir, MAIN) !== undefined;
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged') || error instanceof IoError) return true;
    throw error;
  }
}
