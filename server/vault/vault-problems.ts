import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../domain/errors.ts';
import { listRefs } from '../git/refs.ts';
import { hasCode } from '../io/io-error.ts';
import type { OpenVault } from './open-vault.ts';

/** Says what in a repository is not as the server left it, and can be put right by a person only. Objects are not looked at. */
export function vaultProblems(vault: OpenVault): readonly string[] {
  return [...refProblems(vault), ...hookProblems(vault), ...recordProblems(vault)];
}

/** Refs that only a person made are no problem. */
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
