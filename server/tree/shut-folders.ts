import { lstatSync } from 'node:fs';
import { type BytePath, parentPath } from '../domain/byte-path.ts';
import type { RestorePlan } from '../domain/restore-plan.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';

/** Finds the folders that a plan changes and that their owner may not write to, with the mode that they have. */
export function shutFolders(root: string, plan: RestorePlan): ReadonlyMap<BytePath, number> {
  const changed = new Set([...plan.files, ...plan.folders].map(({ path }) => parentPath(path)));
  const shut = new Map<BytePath, number>();
  for (const path of [...changed].sort()) {
    const mode = folderMode(root, path);
    if (mode !== undefined && (mode & WRITABLE) !== WRITABLE) shut.set(path, mode);
  }
  return shut;
}

/** The owner may list, enter and change it. */
const WRITABLE = 0o700;

function folderMode(root: string, path: BytePath): number | undefined {
  try {
    const stats = lstatSync(diskPath(root, path));
    return stats.isDirectory() ? stats.mode & 0o7777 : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
