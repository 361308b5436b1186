import { type BytePath, joinPath } from './byte-path.ts';
import type { ChangeKind } from './commit.ts';
import { gitPermissions, type TreeEntryNode, type TreeFile, type TreeFolder } from './file-tree.ts';

/** One path that differs; a file that became a folder is a deletion and additions. */
export interface TreeChange {
  readonly path: BytePath;
  readonly change: ChangeKind;
  readonly from?: TreeFile;
  readonly to?: TreeFile;
}

/**
 * Lists the files that differ between two trees, by path in the order of a depth-first walk by name.
 * Contents are compared by object id: both sides must have been hashed.
 * @param modes `git` compares the exec bit only and skips folders with one object id, `exact` compares all permission bits
 */
export function treeDifference(
  from: TreeFolder,
  to: TreeFolder,
  modes: 'git' | 'exact' = 'git',
): readonly TreeChange[] {
  const changes: TreeChange[] = [];
  const skipEqual = modes === 'git';

  function folders(path: BytePath, a: TreeFolder | undefined, b: TreeFolder | undefined): void {
    if (a === b || (skipEqual && a?.oid !== undefined && a.oid === b?.oid)) return;
    for (const [left, right] of paired(a?.entries ?? [], b?.entries ?? [])) {
      entry(joinPath(path, (left ?? right)?.name ?? ''), left, right);
    }
  }

  function entry(path: BytePath, a: TreeEntryNode | undefined, b: TreeEntryNode | undefined): void {
    const [fileA, fileB] = [fileOf(a), fileOf(b)];
    const change = fileChange(fileA, fileB, modes);
    if (change !== undefined) {
      changes.push({ path, change, ...(fileA && { from: fileA }), ...(fileB && { to: fileB }) });
    }
    if (a?.kind === 'folder' || b?.kind === 'folder') folders(path, folderOf(a), folderOf(b));
  }

  folders('' as BytePath, from, to);
  return changes;
}

/** Walks two sorted lists side by side: each name once, with its entry on either side. */
export function* paired<A extends { readonly name: string }, B extends { readonly name: string }>(
  left: readonly A[],
  right: readonly B[],
): Generator<readonly [A | undefined, B | undefined]> {
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const [a, b] = [left[i], right[j]];
    if (b === undefined || (a !== undefined && a.name < b.name)) {
      yield [a, undefined];
      i++;
    } else if (a === undefined || b.name < a.name) {
      yield [undefined, b];
      j++;
    } else {
      yield [a, b];
      i++;
      j++;
    }
  }
}

function fileChange(a: TreeFile | undefined, b: TreeFile | undefined, modes: 'git' | 'exact'): ChangeKind | undefined {
  if (a === undefined) return b === undefined ? undefined : 'added';
  if (b === undefined) return 'deleted';
  if (a.kind !== b.kind) return 'type';
  if (a.oid !== b.oid) return 'modified';
  if (a.kind !== 'file') return undefined;
  const same = modes === 'git' ? gitPermissions(a.mode) === gitPermissions(b.mode) : a.mode === b.mode;
  return same ? undefined : 'mode';
}

const fileOf = (entry: TreeEntryNode | undefined): TreeFile | undefined =>
  entry === undefined || entry.kind === 'folder' ? undefined : entry;

const folderOf = (entry: TreeEntryNode | undefined): TreeFolder | undefined =>
  entry?.kind === 'folder' ? entry : undefined;
