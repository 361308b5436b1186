import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import { EMPTY_TREE, type TreeEntryNode, type TreeFile, type TreeFolder } from '../domain/file-tree.ts';
import { paired } from '../domain/tree-difference.ts';
import type { DiskFile, DiskFolder } from './disk-tree.ts';
import { hasLeft } from './folders-with-left.ts';
import { type ObjectSink, putTree } from './object-sink.ts';
import { coversFolder, holds, type Reach, reaches } from './scope-coverage.ts';

export interface Overlay {
  readonly base: TreeFolder;
  /** Filled for the scope. */
  readonly disk: DiskFolder;
  readonly scope: Reach;
  readonly sink: ObjectSink;
}

/**
 * Makes the tree that is the disk's inside of the scope and the base's outside of it. A file that is there but could
 * not be taken (too large, unreadable) stays as the base has it.
 */
export function overlayTree({ base, disk, scope, sink }: Overlay): TreeFolder {
  function folder(path: BytePath, old: TreeFolder | undefined, now: DiskFolder | undefined): TreeFolder | undefined {
    if (!reaches(path, scope)) return old;
    if (now !== undefined && now.oid !== undefined && coversFolder(path, scope) && !keepsAny(now)) return now;
    const entries: TreeEntryNode[] = [];
    for (const [before, after] of paired(old?.entries ?? [], now?.entries ?? [])) {
      const entry = choose(joinPath(path, (before ?? after)?.name ?? ''), before, after, now);
      if (entry !== undefined) entries.push(entry);
    }
    if (old !== undefined && sameEntries(old.entries, entries)) return old;
    const name = (now ?? old)?.name ?? '';
    return { kind: 'folder', name, mode: (now ?? old ?? base).mode, oid: putTree(entries, sink), entries };
  }

  function choose(
    path: BytePath,
    before: TreeEntryNode | undefined,
    after: DiskFile | DiskFolder | undefined,
    now: DiskFolder | undefined,
  ): TreeEntryNode | undefined {
    if (after !== undefined && after.kind !== 'folder' && holds(path, scope)) return after;
    if (after === undefined && before !== undefined && isKept(now, before.name)) return before;
    const inner = folder(path, folderOf(before), after?.kind === 'folder' ? after : undefined);
    if (inner !== undefined && inner.oid !== EMPTY_TREE) return inner;
    return before !== undefined && before.kind !== 'folder' && !holds(path, scope) ? before : undefined;
  }

  return folder('' as BytePath, base, disk) ?? base;
}

/** Reasons that say nothing about whether the file is still there as it was. */
const KEPT: ReadonlySet<LeftOutReason> = new Set(['too_large', 'unreadable']);

function isKept(folder: DiskFolder | undefined, name: string): boolean {
  return folder?.left.some((left) => left.name === name && KEPT.has(left.reason)) ?? false;
}

function keepsAny(folder: DiskFolder): boolean {
  if (!hasLeft(folder)) return false;
  return (
    folder.left.some(({ reason }) => KEPT.has(reason)) ||
    folder.entries.some((entry) => entry.kind === 'folder' && keepsAny(entry))
  );
}

const folderOf = (entry: TreeEntryNode | undefined): TreeFolder | undefined =>
  entry?.kind === 'folder' ? entry : undefined;

function sameEntries(a: readonly TreeEntryNode[], b: readonly TreeEntryNode[]): boolean {
  return a.length === b.length && a.every((entry, i) => sameEntry(entry, b[i]));
}

function sameEntry(a: TreeEntryNode, b: TreeEntryNode | undefined): boolean {
  if (a === b) return true;
  return (
    a.kind === b?.kind && a.name === b.name && a.oid === b.oid && (a.kind === 'folder' || sameMode(a, b as TreeFile))
  );
}

const sameMode = (a: TreeFile, b: TreeFile): boolean => (a.mode & 0o100) === (b.mode & 0o100);
