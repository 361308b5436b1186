import type { Oid } from '../../domain/ids.ts';
import type { OpenVault } from '../open-vault.ts';
import { blobAt } from '../read-tree.ts';
import { differingFiles } from '../verified-diff.ts';

/**
 * Sees that every file which a revert merges hashes to its id: git merges what it finds. Throws vault_damaged, object_missing.
 */
export async function checkRevertBlobs(
  vault: OpenVault,
  { before, after, main }: { readonly before: Oid; readonly after: Oid; readonly main: Oid },
): Promise<void> {
  const changed = await differingFiles(vault, { from: before, to: after });
  const sides = await Promise.all(
    changed.map(async ({ path, from, to }) => [from, to, await blobAt(vault, main, path)]),
  );
  await Promise.all([...new Set(sides.flat())].map((oid) => oid && vault.reader.check(oid)));
}
