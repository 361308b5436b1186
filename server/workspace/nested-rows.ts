import type { BytePath } from '../domain/byte-path.ts';
import type { NestedRepository } from '../domain/point.ts';
import type { DiskFolder } from '../tree/index.ts';
import { indexVersion } from './index-version.ts';
import { nestedRow } from './nested-row.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { readUserRepository } from './user-repository.ts';

/** Says how the git repositories in the workspace stand, the root's own first. */
export function nestedRows(
  { root, largeFileBytes }: OpenWorkspace,
  disk: DiskFolder,
  nested: readonly BytePath[],
): readonly NestedRepository[] {
  const paths = new Set(nested);
  return ['' as BytePath, ...[...paths].sort()].flatMap((path) => {
    const repository = readUserRepository(root, path);
    if (repository === undefined) return [];
    // Before the index is read: one that is replaced meanwhile counts as another.
    const version = indexVersion(root, path);
    return [nestedRow(path, repository, { disk, nested: paths, largeFileBytes, version })];
  });
}
