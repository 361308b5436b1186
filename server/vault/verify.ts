import { fsck } from '../git/fsck.ts';
import { findSpecialFile } from '../git/special-files.ts';
import type { OpenVault } from './open-vault.ts';
import { vaultProblems } from './vault-problems.ts';

/**
 * Checks the repository whole: what git finds among the objects, its warnings included, and what is not as the server left it.
 * Refs that only a person made are no problem.
 */
export async function verify(
  vault: OpenVault,
  signal?: AbortSignal,
): Promise<{ readonly problems: readonly string[] }> {
  return { problems: [...vaultProblems(vault), ...(await objectProblems(vault, signal))] };
}

async function objectProblems(vault: OpenVault, signal?: AbortSignal): Promise<readonly string[]> {
  const special = findSpecialFile(vault.shadow);
  // git would wait for it, and the check of a large repository may be silent for long.
  if (special !== undefined) return [`.git/${special} is no file`];
  return fsck(vault.shadow, [...new Set(vault.refs.all().values())], signal);
}
