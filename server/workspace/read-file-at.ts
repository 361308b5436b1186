import { type BytePath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { entryAt } from '../domain/file-tree.ts';
import { readBelow } from '../io/safe-path.ts';
import type { Side } from './changes.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointReader } from './point-reader.ts';
import { findPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';

/**
 * Reads a file of a point, or as it is now; of a link, its text.
 * @param limit bytes
 * @returns undefined where there is none
 * @throws DevLoopError body_too_large
 */
export async function readFileAt(
  workspace: OpenWorkspace,
  side: Side,
  { path, limit }: { readonly path: BytePath; readonly limit: number },
): Promise<Uint8Array | undefined> {
  if (side === 'now') return readBelow(workspace.root, path, limit);
  const point = await findPoint(workspace, side);
  const file = entryAt(await pointTree(workspace, point), path);
  if (file === undefined || file.kind === 'folder' || file.kind === 'gitlink') return undefined;
  const content = await pointReader(workspace, point)(file, path);
  return collect(content, path, limit);
}

async function collect(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  path: BytePath,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    size += chunk.length;
    if (size > limit) {
      throw new DevLoopError('body_too_large', `the file has more than ${limit} bytes`, {
        data: { ...pathText(path), limit },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
