import { type BytePath, fromPathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import type { TreeFile } from '../domain/file-tree.ts';
import type { Point } from '../domain/point.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** Reads the contents of a point's files, large ones in pieces. Throws `store_damaged`, `object_missing`. */
export function pointReader(
  { reader, large }: OpenWorkspace,
  point: Point,
): (file: TreeFile, path: BytePath) => Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const files = new Map(point.large.map((row) => [fromPathText(row), row]));
  return async ({ oid, name }, path) => {
    const file = files.get(path);
    if (file !== undefined) {
      const objects = large();
      if ((await objects.sizeOf(file.sha256)) === file.size) return objects.read(file);
      throw new DevLoopError('store_damaged', `the content of ${JSON.stringify(name)} is not in the store`, {
        data: { ...file },
      });
    }
    if (oid === undefined) throw new DevLoopError('internal', `the content of ${JSON.stringify(name)} was not read`);
    return (await reader.read(oid)).content;
  };
}
