import { type BytePath, joinPath, pathText } from '../domain/byte-path.ts';
import { entryAt, gitPermissions, type TreeEntryNode, type TreeFolder } from '../domain/file-tree.ts';
import type { NestedRepository } from '../domain/point.ts';
import type { TrackedEntry } from '../git/parse-index.ts';
import type { DiskFolder } from '../tree/index.ts';
import type { UserRepository } from './user-repository.ts';

/** The files of a workspace, and what is needed to judge a repository in it. */
export interface RepositoryFiles {
  readonly disk: DiskFolder;
  readonly nested: ReadonlySet<BytePath>;
  readonly largeFileBytes: number;
  /** The state of the repository's index, where it has one. */
  readonly version: string | undefined;
}

/**
 * Says how a repository stands, from its index and the files as they are. A filter that changes contents between index
 * and files makes it look dirty: it is not run.
 * @param nested the repositories inside of this one, whose files are not its own
 */
export function nestedRow(path: BytePath, repository: UserRepository, files: RepositoryFiles): NestedRepository {
  const { dirty, untracked } = standing(path, repository, files);
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

interface Standing {
  readonly version: string | undefined;
  readonly dirty: boolean;
  readonly untracked: boolean;
}

/** Folders are values: where the folder and the index are as they were, so is what they tell together. */
const known = new WeakMap<TreeEntryNode, Standing>();

function standing(path: BytePath, repository: UserRepository, files: RepositoryFiles): Standing {
  const { disk, version, nested, largeFileBytes } = files;
  const folder = entryAt(disk, path);
  const before = folder && known.get(folder);
  if (before !== undefined && version !== undefined && before.version === version) return before;
  const entries = repository.tracked;
  const tracked = new Map((entries ?? []).map((entry) => [entry.path, entry]));
  const own = folder?.kind === 'folder' ? filesOf(folder, { path, nested }) : [].values();
  const untracked = own.some((below) => !tracked.has(below));
  const dirty = entries !== undefined && isDirty([...tracked.values()], folder, largeFileBytes);
  const now = { version, dirty, untracked };
  if (folder !== undefined) known.set(folder, now);
  return now;
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
