import { EXECUTABLE_MODE, FILE_MODE, FOLDER_MODE } from '../domain/file-tree.ts';
import type { Manifest } from '../domain/point.ts';
import type { DiskFolder } from '../tree/index.ts';

/** What a manifest says of a folder with all that is below it. */
export interface FolderSummary {
  /** The folder itself is not counted. */
  readonly counts: Manifest['counts'];
  /** git holds all there is to tell: no odd mode, no empty folder, no large file. */
  readonly isPlain: boolean;
}

/** Summarizes a folder; costs what was not summarized before. A file is large from so many bytes on. */
export function folderSummary(folder: DiskFolder, largeFileBytes: number): FolderSummary {
  const before = known.get(folder);
  if (before?.largeFileBytes === largeFileBytes) return before.summary;
  const summary = summarize(folder, largeFileBytes);
  known.set(folder, { largeFileBytes, summary });
  return summary;
}

/** Folders are values, so that what is known of one stays true. */
const known = new WeakMap<DiskFolder, { readonly largeFileBytes: number; readonly summary: FolderSummary }>();

function summarize(folder: DiskFolder, largeFileBytes: number): FolderSummary {
  const counts = { files: 0, links: 0, folders: 0, bytes: 0 };
  let isPlain = folder.mode === FOLDER_MODE && folder.entries.length > 0;
  for (const entry of folder.entries) {
    if (entry.kind === 'folder') {
      const below = folderSummary(entry, largeFileBytes);
      counts.folders += 1 + below.counts.folders;
      counts.files += below.counts.files;
      counts.links += below.counts.links;
      counts.bytes += below.counts.bytes;
      isPlain &&= below.isPlain;
      continue;
    }
    counts[entry.kind === 'link' ? 'links' : 'files']++;
    counts.bytes += entry.size;
    if (entry.kind === 'file')
      isPlain &&= (entry.mode === FILE_MODE || entry.mode === EXECUTABLE_MODE) && entry.size < largeFileBytes;
  }
  return { counts, isPlain };
}
