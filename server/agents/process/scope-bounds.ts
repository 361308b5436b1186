import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, bytePathFromLatin1, joinPath, parentPath, pathText } from '../../domain/byte-path.ts';
import { inScope, mayHoldScope, type WriteScope } from '../../domain/write-scope.ts';

export interface ScopeBounds {
  /** Absolute paths of folders that the program may write. */
  readonly writable: readonly string[];
  /** Absolute paths below them that it may not. */
  readonly protected: readonly string[];
}

/**
 * The folders that a sandbox must open for a write scope, and what it must close again below them: where the scope names files
 * one by one, their folder is opened and all else in it closed. Folders of the scope that are absent are made; a link on the way
 * is left for the sandbox to refuse.
 */
export function scopeBounds(root: string, scope: WriteScope): ScopeBounds {
  const folders = [...new Set(scope.map(openFolder))];
  const outer = folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(folder, other)));
  for (const folder of folders) makeFolder(root, folder);
  const at = (path: BytePath) => (path === '' ? root : join(root, pathText(path).path));
  return {
    writable: outer.map(at),
    protected: outer.flatMap((folder) => closedBelow(root, folder, scope)).map(at),
  };
}

/** The innermost folder that holds all that a pattern can name. */
function openFolder(pattern: string): BytePath {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => part === '*' || part === '**');
  return bytePathFromLatin1(parts.slice(0, wild < 0 ? -1 : wild).join('/'));
}

function closedBelow(root: string, folder: BytePath, scope: WriteScope): readonly BytePath[] {
  const entries = readdirSync(join(root, pathText(folder).path), { encoding: 'latin1', withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = joinPath(folder, entry.name);
    if (inScope(path, scope)) return [];
    return entry.isDirectory() && mayHoldScope(path, scope) ? closedBelow(root, path, scope) : [path];
  });
}

const isBelow = (path: BytePath, folder: BytePath): boolean => folder === '' || path.startsWith(`${folder}/`);

function makeFolder(root: string, folder: BytePath): void {
  if (folder === '') return;
  makeFolder(root, parentPath(folder));
  const path = join(root, pathText(folder).path);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path);
}
