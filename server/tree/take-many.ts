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
  const place = { path: '' as BytePath, scope, limit: sink.large?.bytes ?? Number.POSITIVE_INFINITY };
  const { count, bytes } = sizeOf(unread(disk, place));
  if (count < MANY_FILES && bytes < MANY_BYTES) return disk;
  const foreign = ['' as BytePath, ...nested].flatMap((folder) => ownObjects(root, folder));
  const taken = new Map<DiskFile, DiskFile>();
  const files = unread(disk, place).map(({ path, entry }) => ({
    path,
    done: (file: DiskFile | undefined) => {
      if (file !== undefined) taken.set(entry, { ...file, name: entry.name });
    },
  }));
  await sink.many.take({ root, foreign, files, count, signal });
  return withFiles(disk, taken);
}

function sizeOf(files: Iterable<Unread>): { readonly count: number; readonly bytes: number } {
  let [count, bytes] = [0, 0];
  for (const { entry } of files) {
    count++;
    bytes += entry.size;
  }
  return { count, bytes };
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

interface Unread {
  readonly path: BytePath;
  readonly entry: DiskFile;
}

function* unread(folder: DiskFolder, place: Place): Generator<Unread, undefined> {
  for (const entry of folder.entries) {
    if (entry.oid !== undefined || entry.kind === 'link') continue;
    const path = joinPath(place.path, entry.name);
    if (entry.kind === 'folder') {
      if (reaches(path, place.scope)) yield* unread(entry, { ...place, path });
    } else if (entry.size < place.limit && holds(path, place.scope)) yield { path, entry };
  }
}

function withFiles(folder: DiskFolder, taken: ReadonlyMap<DiskFile, DiskFile>): DiskFolder {
  if (folder.oid !== undefined) return folder;
  const entries = folder.entries.map((entry) =>
    entry.kind === 'folder' ? withFiles(entry, taken) : (taken.get(entry) ?? entry),
  );
  return { ...folder, entries };
}
