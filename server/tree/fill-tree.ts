import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { DiskFile, DiskFolder, LeftName, LeftPath } from './disk-tree.ts';
import { allKnown, type ObjectSink, putTree } from './object-sink.ts';
import { readContent } from './read-content.ts';
import { holds, narrowed, type Reach, reaches } from './scope-coverage.ts';

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

interface Place {
  readonly path: BytePath;
  readonly scope: Reach;
}

/** A folder's entries as they are known now. */
interface Filling {
  readonly entries: DiskFolder['entries'];
  readonly left: readonly LeftName[];
  /** True where the scope holds all that is or may come below. */
  readonly covered: boolean;
}

/**
 * Reads the files whose content is not known, or not in the sink, and puts them and their folders' trees there.
 * What the sink has is not read. Yields between files.
 */
export function* fillTree({ root, disk, scope, sink }: FillRequest): Generator<undefined, Filled> {
  const leftOut: LeftPath[] = [];

  function* folder({ path, scope: above }: Place, before: DiskFolder): Generator<undefined, DiskFolder> {
    if (!reaches(path, above) || (before.oid !== undefined && sink.has(before.oid))) return before;
    const scope = narrowed(path, above);
    const entries: (DiskFile | DiskFolder)[] = [];
    const left: LeftName[] = [];
    for (const entry of before.entries) {
      const at = { path: joinPath(path, entry.name), scope };
      const now = entry.kind === 'folder' ? yield* folder(at, entry) : yield* file(at, entry);
      if (typeof now !== 'string') entries.push(now);
      else {
        left.push({ name: entry.name, reason: now });
        leftOut.push({ path: at.path, reason: now });
      }
    }
    return withTree(before, { entries, left, covered: scope === undefined });
  }

  function* file(
    { path, scope: around }: Place,
    before: DiskFile,
  ): Generator<undefined, DiskFile | LeftName['reason']> {
    if (!holds(path, around) || (before.oid !== undefined && sink.has(before.oid))) return before;
    yield;
    return yield* readContent({ root, path }, before, sink);
  }

  function withTree(before: DiskFolder, { entries, left, covered }: Filling): DiskFolder {
    const same = left.length === 0 && entries.every((entry, i) => entry === before.entries[i]);
    const complete = covered && allKnown(entries);
    const oid = complete ? putTree(entries, sink) : undefined;
    if (!same) return { ...before, entries, left: [...before.left, ...left], oid };
    return oid === before.oid || !complete ? before : { ...before, oid };
  }

  return { disk: yield* folder({ path: '' as BytePath, scope }, disk), leftOut };
}
