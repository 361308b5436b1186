import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { DiskFile, DiskFolder, LeftName, LeftPath } from './disk-tree.ts';
import { allKnown, type ObjectSink, putTree } from './object-sink.ts';
import { readContent } from './read-content.ts';
import { coversFolder, holds, type Reach, reaches } from './scope-coverage.ts';

export interface FillRequest {
  readonly root: string;
  readonly disk: DiskFolder;
  readonly scope: Reach;
  readonly sink: ObjectSink;
}

export interface Filled {
  /** Every file in the scope has its object id, and so has every folder that the scope covers. */
  readonly disk: DiskFolder;
  /** What could not be read after all. */
  readonly leftOut: readonly LeftPath[];
}

/**
 * Reads the files whose content is not known, or not in the sink, and puts them and their folders' trees there.
 * What the sink has is not read. Yields between files.
 */
export function* fillTree({ root, disk, scope, sink }: FillRequest): Generator<undefined, Filled> {
  const leftOut: LeftPath[] = [];

  function* folder(path: BytePath, before: DiskFolder): Generator<undefined, DiskFolder> {
    if (!reaches(path, scope) || (before.oid !== undefined && sink.has(before.oid))) return before;
    const entries: (DiskFile | DiskFolder)[] = [];
    const left: LeftName[] = [];
    for (const entry of before.entries) {
      const below = joinPath(path, entry.name);
      const now = entry.kind === 'folder' ? yield* folder(below, entry) : yield* file(below, entry);
      if (typeof now !== 'string') entries.push(now);
      else {
        left.push({ name: entry.name, reason: now });
        leftOut.push({ path: below, reason: now });
      }
    }
    return withTree(path, before, { entries, left });
  }

  function* file(path: BytePath, before: DiskFile): Generator<undefined, DiskFile | LeftName['reason']> {
    if (!holds(path, scope) || (before.oid !== undefined && sink.has(before.oid))) return before;
    yield;
    return yield* readContent({ root, path }, before, sink);
  }

  function withTree(
    path: BytePath,
    before: DiskFolder,
    { entries, left }: { readonly entries: DiskFolder['entries']; readonly left: readonly LeftName[] },
  ): DiskFolder {
    const same = left.length === 0 && entries.every((entry, i) => entry === before.entries[i]);
    const complete = coversFolder(path, scope) && allKnown(entries);
    if (!complete) return same ? before : { ...before, entries, left: [...before.left, ...left], oid: undefined };
    const oid = putTree(entries, sink);
    return same && oid === before.oid ? before : { ...before, entries, left: [...before.left, ...left], oid };
  }

  return { disk: yield* folder('' as BytePath, disk), leftOut };
}
