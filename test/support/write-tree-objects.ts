import type { Oid } from '../../server/domain/ids.ts';
import type { ObjectWriter } from '../../server/git/objects/object-writer.ts';
import { encodeTree, type TreeItem } from '../../server/git/objects/tree-format.ts';
import type { GeneratedFile } from './arbitrary-tree.ts';

/** Writes generated files and their folders through a writer; returns the root tree's id. */
export function writeTreeObjects(writer: ObjectWriter, files: readonly GeneratedFile[]): Oid {
  const items: TreeItem[] = [];
  const folders = new Map<string, GeneratedFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/');
    if (slash < 0) items.push({ name: file.path, mode: file.mode, oid: writer.write('blob', file.content) });
    else {
      const name = file.path.slice(0, slash);
      folders.set(name, [...(folders.get(name) ?? []), { ...file, path: file.path.slice(slash + 1) }]);
    }
  }
  for (const [name, below] of folders) items.push({ name, mode: '40000', oid: writeTreeObjects(writer, below) });
  return writer.write('tree', encodeTree(items));
}
