import { type BytePath, joinPath, type PathText, pathText } from '../domain/byte-path.ts';
import { EXECUTABLE_MODE, FILE_MODE, FOLDER_MODE } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import type { Manifest } from '../domain/point.ts';
import type { DiskFolder, LeftPath } from '../tree/index.ts';
import { folderSummary } from './folder-summary.ts';
import type { LargeFile } from './objects/large-objects.ts';

/** What a manifest says of the files themselves. */
export type FilesPart = Pick<Manifest, 'counts' | 'folders' | 'modes' | 'large'>;

/** Gathers what git does not hold of a folder, and counts. @param large by the ids of what stands for them */
export function filesPart(disk: DiskFolder, large: ReadonlyMap<Oid, LargeFile>, largeFileBytes: number): FilesPart {
  const folders: (PathText & { mode: number })[] = [];
  const modes: (PathText & { mode: number })[] = [];
  const largeFiles: (PathText & LargeFile)[] = [];

  function visit(path: BytePath, folder: DiskFolder): void {
    if (folderSummary(folder, largeFileBytes).isPlain) return;
    if (folder.mode !== FOLDER_MODE || (folder.entries.length === 0 && path !== ''))
      folders.push({ ...pathText(path), mode: folder.mode });
    for (const entry of folder.entries) {
      const below = joinPath(path, entry.name);
      if (entry.kind === 'folder') visit(below, entry);
      if (entry.kind !== 'file') continue;
      if (entry.mode !== FILE_MODE && entry.mode !== EXECUTABLE_MODE)
        modes.push({ ...pathText(below), mode: entry.mode });
      const file = entry.size >= largeFileBytes && entry.oid !== undefined ? large.get(entry.oid) : undefined;
      if (file !== undefined) largeFiles.push({ ...pathText(below), ...file });
    }
  }

  visit('' as BytePath, disk);
  const { counts } = folderSummary(disk, largeFileBytes);
  return { counts, folders, modes, large: largeFiles };
}

/** What was left out, for the manifest. */
export function leftOutRows(leftOut: readonly LeftPath[]): Manifest['left_out'] {
  return leftOut.map(({ path, reason }) => ({ ...pathText(path), reason }));
}

/** False where something is not in the point although it belongs there: then nothing may be deleted by it. */
export function isComplete(leftOut: readonly LeftPath[]): boolean {
  return !leftOut.some(({ reason }) => reason === 'unreadable');
}
