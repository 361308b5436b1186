import { EMPTY_TREE, gitPermissions, type TreeEntryNode, type TreeFolder } from '../domain/file-tree.ts';
import type { Oid } from '../domain/ids.ts';
import { hashObject } from '../git/objects/object-id.ts';
import { encodeTree, type TreeItem } from '../git/objects/tree-format.ts';
import type { ContentWorkers } from './content-workers.ts';

/** Where contents go. */
export interface ObjectSink {
  /** True where the object need not be put (again). */
  has(oid: Oid): boolean;
  /** Takes an object and gives its id. */
  put(kind: 'blob' | 'tree', content: Uint8Array): Oid;
  /** How large files are taken instead; what stands for one in the tree is the returned blob. */
  readonly large?: LargeFiles;
  /** What content of its size and less is read into: for a sink that needs none any more when `put` returns. Otherwise each has a buffer of its own. */
  readonly scratch?: Buffer;
  /** How many files are taken at once; one after the other where absent. */
  readonly many?: Pick<ContentWorkers, 'take' | 'isWorth'>;
}

export interface LargeFiles {
  /** From this size on, bytes. */
  readonly bytes: number;
  /** Takes the content of an open file, in steps, and gives the id of the blob that stands for it. */
  put(file: { readonly fd: number; readonly size: number }): Generator<undefined, Oid>;
}

/** Computes ids and keeps nothing. */
export const HASH_ONLY: ObjectSink = { has: () => true, put: hashObject };

/** Puts a folder's own tree object; folders without files have none. All entries must have their ids. */
export function putTree(entries: readonly TreeEntryNode[], sink: ObjectSink): Oid {
  const items = entries.flatMap(treeItem);
  if (items.length === 0) return EMPTY_TREE;
  const content = encodeTree(items);
  const oid = hashObject('tree', content);
  return sink.has(oid) ? oid : sink.put('tree', content);
}

/** True where a folder's tree object can be made. */
export function allKnown(entries: TreeFolder['entries']): boolean {
  return entries.every((entry) => entry.oid !== undefined);
}

function treeItem(entry: TreeEntryNode): readonly TreeItem[] {
  const { name, oid } = entry;
  if (oid === undefined) throw new Error(`the content of ${JSON.stringify(name)} has not been read`);
  switch (entry.kind) {
    case 'folder':
      return oid === EMPTY_TREE ? [] : [{ name, mode: '40000', oid }];
    case 'link':
      return [{ name, mode: '120000', oid }];
    case 'gitlink':
      return [{ name, mode: '160000', oid }];
    case 'file':
      return [{ name, mode: gitPermissions(entry.mode) === 0o755 ? '100755' : '100644', oid }];
  }
}
