import { type BytePath, joinPath, pathText } from '../domain/byte-path.ts';
import { entryAt, gitPermissions, type TreeFolder } from '../domain/file-tree.ts';
import type { NestedRepository } from '../domain/point.ts';
import type { TrackedEntry } from '../git/parse-index.ts';
import type { DiskFolder } from '../tree/index.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * Says how a repository stands, from its index and the files as they are. A filter that changes contents between index
 * and files makes it look dirty: it is not run.
 * @param nested the repositories inside of this one, whose files are not its own
 */
export function nestedRow(
  path: BytePath,
  repository: UserRepository,
  files: { readonly disk: DiskFolder; readonly nested: ReadonlySet<BytePath>; readonly largeFileBytes: number },
): NestedRepository {
  const folder = entryAt(files.disk, path);
  const tracked = new Map((repository.tracked ?? []).map((entry) => [entry.path, entry]));
  const own = folder?.kind === 'folder' ? filesOf(folder, { path, nested: files.nested }) : [].values();
  const untracked = own.some((below) => !tracked.has(below));
  const dirty = repository.tracked !== undefined && isDirty([...tracked.values()], folder, files.largeFileBytes);
  return {
    ...pathText(path),
    kind: repository.kind,
    ...(repository.branch !== undefined && { branch: repository.branch }),
    ...(repository.head !== undefined && { head: repository.head }),
    dirty,
    has_untracked_files: untracked,
    ...(repository.remoteHost !== undefined && { remote_host: repository.remoteHost }),
    git_history_saved: false,
  };
}

function isDirty(
  tracked: readonly TrackedEntry[],
  folder: ReturnType<typeof entryAt>,
  largeFileBytes: number,
): boolean {
  return tracked.some(({ path, mode, oid, stage }) => {
    if (stage !== 0) return true;
    if (mode >> 12 === 0o16 || mode >> 12 === 0o4) return false;
    const found = folder?.kind === 'folder' ? entryAt(folder, path) : undefined;
    if (found === undefined || found.kind === 'folder' || found.kind === 'gitlink') return true;
    if (found.kind === 'link') return mode >> 12 !== 0o12 || found.oid !== oid;
    const isLarge = 'size' in found && typeof found.size === 'number' && found.size >= largeFileBytes;
    return (
      mode >> 12 !== 0o10 || gitPermissions(found.mode) !== gitPermissions(mode) || (!isLarge && found.oid !== oid)
    );
  });
}

function* filesOf(
  folder: TreeFolder,
  at: { readonly path: BytePath; readonly nested: ReadonlySet<BytePath> },
  below = '' as BytePath,
): Generator<BytePath> {
  for (const entry of folder.entries) {
    const inner = joinPath(below, entry.name);
    const path = joinPath(at.path, inner);
    if (entry.kind !== 'folder') yield inner;
    else if (!at.nested.has(path)) yield* filesOf(entry, at, inner);
  }
}
