import { isDevLoopError } from '../domain/errors.ts';
import { MAIN } from '../domain/ref-names.ts';
import { fsck } from '../git/fsck.ts';
import { listRefs, readHead } from '../git/refs.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Checks the repository whole: what git finds, its warnings included, and refs that are not what the server's record says.
 * Refs that only a person made are no problem.
 */
export async function verify(
  vault: OpenVault,
  signal?: AbortSignal,
): Promise<{ readonly problems: readonly string[] }> {
  const heads = [...new Set(vault.refs.all().values())];
  return { problems: [...refProblems(vault), ...(await fsck(vault.shadow, heads, signal))] };
}

function refProblems(vault: OpenVault): readonly string[] {
  try {
    const actual = listRefs(vault.gitDir, 'refs/');
    const head = readHead(vault.gitDir);
    const onMain = head.kind === 'branch' && head.ref === MAIN;
    const moved = [...vault.refs.all()].filter(([ref, oid]) => actual.get(ref) !== oid);
    return [
      ...(onMain ? [] : ['HEAD is not on main']),
      ...moved.map(([ref, oid]) => `${ref} is at ${actual.get(ref) ?? 'nothing'}, not at ${oid}`),
    ];
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged', 'path_refused')) return [error.message];
    throw error;
  }
}
