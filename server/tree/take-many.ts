import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { DiskFile, DiskFolder } from './disk-tree.ts';
import type { FillRequest } from './fill-tree.ts';
import { holds, reaches } from './scope-coverage.ts';

/** From here on threads are worth their start: files, and bytes of them. */
const MANY_FILES = 400;
const MANY_BYTES = 6 * 1024 * 1024;

export interface ManyRequest extends FillRequest {
  /** Folders with a `.git` of their own. */
  readonly nested: readonly BytePath[];
  readonly signal: AbortSignal | undefined;
}

/** Has the contents that are not known taken by threads, where the sink has some and there is much to take. */
export async function takeMany({ root, disk, scope, sink, nested, signal }: ManyRequest): Promise<DiskFolder> {
  if (sink.many === undefined) return disk;
  const limit = sink.large?.bytes ?? Number.POSITIVE_INFINITY;
  const wanted = [...unread(disk, { path: '' as BytePath, scope, limit })];
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
  if (wanted.length < MANY_FILES && bytes < MANY_BYTES) return disk;
  const paths = wanted.map(({ path }) => path);
  const foreign = ['' as BytePath, ...nested].flatMap((folder) => ownObjects(root, folder));
  const files = await sink.many.take({ root, foreign, paths, signal });
  const taken = new Map<BytePath, DiskFile>();
  for (const [i, path] of paths.entries()) {
    const file = files[i];
    if (file !== undefined) taken.set(path, file);
  }
  return withFiles('' as BytePath, disk, taken);
}

/** The objects of a repository whose `.git` is a folder. */
function ownObjects(root: string, folder: BytePath): readonly string[] {
  const path = Buffer.from(joinPath(folder, '.git'), 'latin1').toString();
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  return stats?.isDirectory() ? [join(root, path, 'objects')] : [];
}

interface Place {
  readonly path: BytePath;
  readonly scope: FillRequest['scope'];
  /** Larger files are taken by other means; bytes. */
  readonly limit: number;
}

function* unread(folder: DiskFolder, place: Place): Generator<{ readonly path: BytePath; readonly size: number }> {
  for (const entry of folder.entries) {
    if (entry.oid !== undefined || entry.kind === 'link') continue;
    const path = joinPath(place.path, entry.name);
    if (entry.kind === 'folder') {
      if (reaches(path, place.scope)) yield* unread(entry, { ...place, path });
    } else if (entry.size < place.limit && holds(path, place.scope)) yield { path, size: entry.size };
  }
}

function withFiles(path: BytePath, folder: DiskFolder, taken: ReadonlyMap<BytePath, DiskFile>): DiskFolder {
  if (folder.oid !== undefined) return folder;
  const entries = folder.entries.map((entry) => {
    if (entry.oid !== undefined) return entry;
    const below = joinPath(path, entry.name);
    return entry.kind === 'folder' ? withFiles(below, entry, taken) : (taken.get(below) ?? entry);
  });
  return { ...folder, entries };
}
