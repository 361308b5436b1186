import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { DiskFolder, LeftName } from './disk-tree.ts';

/** Names that are not in a folder's entries, and that folder. */
export interface LeftIn {
  readonly path: BytePath;
  readonly left: LeftName;
}

/** Lists what a folder that was looked at before, and all below it, does not hold. Costs what there is of it, the second time. */
export function* foldersWithLeft(path: BytePath, folder: DiskFolder): Generator<LeftIn> {
  if (!hasLeft(folder)) return;
  for (const left of folder.left) yield { path, left };
  for (const entry of folder.entries)
    if (entry.kind === 'folder') yield* foldersWithLeft(joinPath(path, entry.name), entry);
}

/** Folders are values, so that what is known of one stays true. */
const known = new WeakMap<DiskFolder, boolean>();

/** True where a folder or one below it does not hold all of its names; the answer is remembered. */
export function hasLeft(folder: DiskFolder): boolean {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const now = folder.left.length > 0 || folder.entries.some((entry) => entry.kind === 'folder' && hasLeft(entry));
  known.set(folder, now);
  return now;
}
