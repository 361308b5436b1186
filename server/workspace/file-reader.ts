import { createReadStream } from 'node:fs';
import { type BytePath, pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { entryAt } from '../domain/file-tree.ts';
import type { Point } from '../domain/point.ts';
import { IoError } from '../io/io-error.ts';
import { openBelow, readLinkBelow } from '../io/safe-path.ts';
import type { Side } from './changes.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { pointReader } from './point-reader.ts';
import { findPoint } from './point-store.ts';
import { pointTree } from './point-tree.ts';
import { settlePoints } from './workspace-lock.ts';

/** Reads a file, of a link its text; undefined where there is none. Throws body_too_large, path_refused. */
export type ReadFile = (path: BytePath, limit: number) => Promise<Uint8Array | undefined>;

/** A content whole, or in pieces where it is large. */
export type OpenContent = Uint8Array | AsyncIterable<Uint8Array>;
/** Opens a file, of a link its text; undefined where there is none. Throws path_refused. */
export type OpenFile = (path: BytePath) => Promise<OpenContent | undefined>;

/** Reads files of a point, or as they are now. The limit is in bytes. Throws `point_not_found`. */
export async function fileReader(workspace: OpenWorkspace, side: Side): Promise<ReadFile> {
  const open = await fileOpener(workspace, side);
  return async (path, limit) => {
    const content = await open(path);
    return content === undefined ? undefined : collect(content, path, limit);
  };
}

/** Opens files of a point, or as they are now. Throws `point_not_found`. */
export async function fileOpener(workspace: OpenWorkspace, side: Side): Promise<OpenFile> {
  if (side === 'now') return async (path) => openNow(workspace.root, path);
  await settlePoints(workspace);
  return pointOpener(workspace, await findPoint(workspace, side));
}

/** Opens files of a point, large ones in pieces; undefined where the point does not hold one. */
export async function pointOpener(workspace: OpenWorkspace, point: Point): Promise<OpenFile> {
  const tree = await pointTree(workspace, point);
  const read = pointReader(workspace, point);
  return async (path) => {
    const file = entryAt(tree, path);
    return file === undefined || file.kind === 'folder' || file.kind === 'gitlink' ? undefined : read(file, path);
  };
}

function openNow(root: string, path: BytePath): OpenContent | undefined {
  try {
    const link = readLinkBelow(root, path);
    if (link !== undefined) return link;
    const fd = openBelow(root, path);
    return fd === undefined ? undefined : createReadStream('', { fd, highWaterMark: 1 << 18 });
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    throw new DevLoopError('path_refused', error.message, { data: { ...pathText(path) }, cause: error });
  }
}

async function collect(content: OpenContent, path: BytePath, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    size += chunk.length;
    if (size > limit) throw tooLarge(path, limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(path: BytePath, limit: number): DevLoopError {
  return new DevLoopError('body_too_large', `the file has more than ${limit} bytes`, {
    data: { ...pathText(path), limit },
  });
}
