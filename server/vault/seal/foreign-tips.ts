import { isDevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { readPackedRefs } from '../../git/packed-refs.ts';
import { readHead, readLooseRef } from '../../git/refs.ts';
import { IoError } from '../../io/io-error.ts';
import type { LockedVault } from '../open-vault.ts';
import type { Tampering } from './find-tampering.ts';
import { isFile } from './git-dir-stamps.ts';

/** Finds what refs that were changed, and a HEAD that is on no branch, point to now, as far as the record does not hold it. */
export function foreignTips(
  { gitDir }: LockedVault,
  { found, expected }: { readonly found: readonly Tampering[]; readonly expected: ReadonlyMap<string, Oid> },
): readonly Oid[] {
  const known = new Set(expected.values());
  const changed = found.filter(({ is }) => isFile(is));
  const tips = changed.flatMap(({ path }): readonly (Oid | undefined)[] => {
    if (path.startsWith('refs/')) return [readable(() => readLooseRef(gitDir, path))];
    if (path === 'packed-refs') return [...(readable(() => readPackedRefs(gitDir))?.values() ?? [])];
    return path === 'HEAD' ? [readable(() => detachedHead(gitDir))] : [];
  });
  return [...new Set(tips)].filter((oid): oid is Oid => oid !== undefined && !known.has(oid));
}

function detachedHead(gitDir: string): Oid | undefined {
  const head = readHead(gitDir);
  return head.kind === 'detached' ? head.oid : undefined;
}

/** What somebody else wrote need not be readable. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged') || error instanceof IoError) return undefined;
    throw error;
  }
}
