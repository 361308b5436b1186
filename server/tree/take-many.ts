import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { DiskFile, DiskFolder } from './disk-tree.ts';
import type { FillRequest } from './fill-tree.ts';
import { holds, reaches } from './scope-coverage.ts';

export interface ManyRequest extends FillRequest {
  /** Folders with a `.git` of their own. */
  readonly nested: readonly BytePath[];
  readonly signal: AbortSignal | undefined;
}

/** Has the contents that are not known taken by threads, where the sink has some and there is much to take. */
export async function takeMany({ root, disk, scope, sink, nested, signal }: ManyRequest): Promise<DiskFolder> {
  if (sink.many === undefined) return disk;
  const place = { path: '' as BytePath, scope, limit: sink.large?.bytes ?? Number.POSITIVE_INFINITY };
  const amount = sizeOf(unread(disk, place));
  if (!sink.many.isWorth(amount)) return disk;
  const foreign = ['' as BytePath, ...nested].flatMap((folder) => ownObjects(root, folder));
  const taken: (DiskFile | undefined)[] = [];
  const files = unread(disk, place).map(({ path, entry }, i) => ({
    path,
    name: entry.name,
    done: (file: DiskFile | undefined) => {
      taken[i] = file;
    },
  }));
  await sink.many.take({ root, foreign, files, count: amount.count, signal });
  return withFiles(disk, place, taken.values());
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
    const path = joinPath(place.path, entry.name);
    if (entry.kind === 'folder') {
      if (isOpen(entry, path, place)) yield* unread(entry, { ...place, path });
    } else if (isUnread(entry, path, place)) yield { path, entry };
  }
}

/** The same walk, with what each unread file has become. */
function withFiles(folder: DiskFolder, place: Place, taken: Iterator<DiskFile | undefined>): DiskFolder {
  const entries = folder.entries.map((entry) => {
    const path = joinPath(place.path, entry.name);
    if (entry.kind === 'folder')
      return isOpen(entry, path, place) ? withFiles(entry, { ...place, path }, taken) : entry;
    return isUnread(entry, path, place) ? (taken.next().value ?? entry) : entry;
  });
  return { ...folder, entries };
}

const isOpen = ({ oid }: DiskFolder, path: BytePath, { scope }: Place): boolean =>
  oid === undefined && reaches(path, scope);

const isUnread = ({ oid, kind, size }: DiskFile, path: BytePath, { scope, limit }: Place): boolean =>
  oid === undefined && kind === 'file' && size < limit && holds(path, scope);
