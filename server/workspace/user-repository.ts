import { lstatSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BytePath, joinPath } from '../domain/byte-path.ts';
import { isDevLoopError } from '../domain/errors.ts';
import type { Oid } from '../domain/ids.ts';
import { parseIndex, type TrackedEntry } from '../git/parse-index.ts';
import { readRef } from '../git/refs.ts';
import { hasCode } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';

/** A git repository that belongs to the user. It is read file by file: nothing that it configures is run, and nothing is written. */
export interface UserRepository {
  readonly kind: 'repo' | 'worktree' | 'submodule';
  readonly branch?: string;
  readonly head?: Oid;
  readonly remoteHost?: string;
  /** Read when it is asked for; undefined where it has no index that can be read. */
  readonly tracked: readonly TrackedEntry[] | undefined;
}

const SMALL = 64 * 1024;
const MOST_CONFIG = 1024 * 1024;
const MOST_INDEX = 512 * 1024 * 1024;

/** Reads the repository whose work tree is a folder of the workspace; undefined where there is none. */
export function readUserRepository(root: string, folder: BytePath): UserRepository | undefined {
  const dir = gitDirsOf(root, folder);
  if (dir === undefined) return undefined;
  const { common } = dir;
  const { branch, head } = readHead(dir.path, common);
  const remoteHost = hostOf(text(common, 'config', MOST_CONFIG) ?? '');
  return {
    kind: dir.kind,
    ...(branch !== undefined && { branch }),
    ...(head !== undefined && { head }),
    ...(remoteHost !== undefined && { remoteHost }),
    get tracked() {
      return readTracked(dir.path);
    },
  };
}

/** The git dir of a work tree, and the one with its objects, refs and settings; absolute paths, which may lead anywhere. */
export function gitDirsOf(root: string, folder: BytePath) {
  const at = Buffer.from(joinPath(folder, '.git'), 'latin1').toString();
  const dir = gitDirAt(join(root, at));
  return dir && { ...dir, common: commonDir(dir.path) };
}

function gitDirAt(path: string): { readonly path: string; readonly kind: UserRepository['kind'] } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) {
    const link = /^gitdir: (.+?)\s*$/s.exec(text(join(path, '..'), '.git', SMALL) ?? '')?.[1];
    if (link === undefined) return undefined;
    return { path: resolve(path, '..', link), kind: /[\\/]worktrees[\\/]/.test(link) ? 'worktree' : 'submodule' };
  }
  const isFolder = stats?.isDirectory() || (stats?.isSymbolicLink() && leadsToFolder(path));
  return isFolder ? { path, kind: 'repo' } : undefined;
}

function leadsToFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}

/** A worktree keeps its refs and settings with the repository that it belongs to. */
function commonDir(gitDir: string): string {
  const common = text(gitDir, 'commondir', SMALL)?.trim();
  return common === undefined ? gitDir : resolve(gitDir, common);
}

function readHead(gitDir: string, common: string): { readonly branch?: string; readonly head?: Oid } {
  const value = text(gitDir, 'HEAD', SMALL)?.trim() ?? '';
  if (/^[0-9a-f]{40}$/.test(value)) return { head: value as Oid };
  const ref = /^ref: (refs\/.+)$/.exec(value)?.[1];
  if (ref === undefined) return {};
  const branch = ref.replace(/^refs\/heads\//, '');
  const head = refOrNothing(common, ref);
  return head === undefined ? { branch } : { branch, head };
}

/** A repository in another format than ours, or a damaged one, tells less. */
function refOrNothing(common: string, ref: string): Oid | undefined {
  try {
    return readRef(common, ref);
  } catch (error) {
    if (isDevLoopError(error) || hasCode(error, 'path_refused', 'EACCES', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The host of origin, or of the first remote; never what else is in its address. */
function hostOf(config: string): string | undefined {
  const remotes = [...config.matchAll(/^\s*\[remote "([^"\n]*)"\][^[]*?^\s*url\s*=\s*(\S+)/gim)];
  const url = (remotes.find(([, name]) => name === 'origin') ?? remotes[0])?.[2];
  if (url === undefined) return undefined;
  const host =
    /^[a-z0-9+.-]+:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]+)/i.exec(url)?.[1] ?? /^(?:[^/@]*@)?([^/:]+):/.exec(url)?.[1];
  return host?.toLowerCase();
}

function readTracked(gitDir: string): readonly TrackedEntry[] | undefined {
  const bytes = read(gitDir, 'index', MOST_INDEX);
  if (bytes === undefined) return undefined;
  try {
    return parseIndex(bytes).entries;
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged')) return undefined;
    throw error;
  }
}

function text(folder: string, name: string, limit: number): string | undefined {
  return read(folder, name, limit)?.toString();
}

function read(folder: string, name: string, limit: number): Buffer | undefined {
  try {
    return readBelow(folder, name, limit);
  } catch (error) {
    if (hasCode(error, 'path_refused', 'too_large', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return undefined;
    throw error;
  }
}
