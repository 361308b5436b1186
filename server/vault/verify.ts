import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../domain/errors.ts';
import { fsck } from '../git/fsck.ts';
import { listRefs } from '../git/refs.ts';
import { findSpecialFile } from '../git/special-files.ts';
import { hasCode } from '../io/io-error.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Checks the repository whole: what git finds among the objects, its warnings included, and what is not as the server left it.
 * Refs that only a person made are no problem.
 */
export async function verify(
  vault: OpenVault,
  signal?: AbortSignal,
): Promise<{ readonly problems: readonly string[] }> {
  return { problems: [...findProblems(vault), ...(await objectProblems(vault, signal))] };
}

/** The same without a look at the objects: quick enough for each start. */
export function findProblems(vault: OpenVault): readonly string[] {
  return [...refProblems(vault), ...hookProblems(vault), ...recordProblems(vault)];
}

function refProblems({ gitDir, refs }: OpenVault): readonly string[] {
  try {
    const actual = listRefs(gitDir, 'refs/');
    return [...refs.all()]
      .filter(([ref, oid]) => actual.get(ref) !== oid)
      .map(([ref, oid]) => `${ref} is at ${actual.get(ref) ?? 'nothing'}, by the record at ${oid}`);
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged', 'path_refused')) return [error.message];
    throw error;
  }
}

function hookProblems({ gitDir }: OpenVault): readonly string[] {
  try {
    const hooks = readdirSync(join(gitDir, 'hooks')).filter((name) => !name.endsWith('.sample'));
    return hooks.map((name) => `hooks/${name} would run in a person's git`);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function recordProblems({ refs }: OpenVault): readonly string[] {
  return refs.damaged === 0 ? [] : [`${refs.damaged} lines of the server's record of refs cannot be read`];
}

async function objectProblems(vault: OpenVault, signal?: AbortSignal): Promise<readonly string[]> {
  const special = findSpecialFile(vault.shadow);
  // git would wait for it, and the check of a large repository may be silent for long.
  if (special !== undefined) return [`.git/${special} is no file`];
  return fsck(vault.shadow, [...new Set(vault.refs.all().values())], signal);
}
