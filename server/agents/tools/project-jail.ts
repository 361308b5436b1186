import { lstatSync, readdirSync } from 'node:fs';
import { type BytePath, bytesOf, joinPath, pathText } from '../../domain/byte-path.ts';
import type { CallId } from '../../domain/ids.ts';
import { inScope, type WriteScope } from '../../domain/write-scope.ts';
import { hasCode, IoError } from '../../io/io-error.ts';
import { readBelow, writeBelow } from '../../io/safe-path.ts';
import { isHidden, type PathCheck, visiblePath } from './visible-path.ts';

interface Refused {
  readonly kind: 'refused';
  readonly why: string;
}

/** The project's files as one call may see and change them. No link is ever followed, and nothing here names a path outside. */
export interface ProjectJail {
  readable(path: string): PathCheck;
  writable(path: string): PathCheck;
  /** `text` is absent where the content is not UTF-8. */
  read(
    path: BytePath,
  ): { readonly kind: 'content'; readonly bytes: number; readonly text: string | undefined } | Refused;
  /** Files below a folder in order of their names; links and special files are left out. */
  list(
    folder: BytePath,
    most: number,
  ): { readonly kind: 'files'; readonly files: readonly BytePath[]; readonly more: boolean } | Refused;
  write(path: BytePath, content: Uint8Array): { readonly kind: 'written' } | Refused;
}

const MOST_READ_BYTES = 2_000_000;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function projectJail(at: {
  readonly root: string;
  readonly call: CallId;
  readonly scope: WriteScope;
  /** Absolute path of a folder on the same file system: a killed write leaves its part there and not among the project's files. */
  readonly stage: string;
}): ProjectJail {
  return {
    readable: (path) => visiblePath(path, at.call),
    writable: (path) => {
      const check = visiblePath(path, at.call);
      if (check.kind === 'refused' || inScope(check.path, at.scope)) return check;
      return {
        kind: 'refused',
        why: `${JSON.stringify(path)} is outside of your write scope (${at.scope.join(', ')})`,
      };
    },
    read: (path) => refusing(path, () => readContent(at.root, path)),
    list: (folder, most) =>
      refusing(folder, () => {
        if (!isFolder(at.root, folder)) return absent(folder);
        const files = filesBelow(at.root, folder, { files: [], most: most + 1 });
        return { kind: 'files', files: files.slice(0, most), more: files.length > most } as const;
      }),
    write: (path, content) =>
      refusing(path, () => {
        writeBelow(at.root, path, content, { stage: at.stage });
        return { kind: 'written' } as const;
      }),
  };
}

function readContent(root: string, path: BytePath): ReturnType<ProjectJail['read']> {
  const content = readBelow(root, path, MOST_READ_BYTES);
  return content === undefined ? absent(path) : { kind: 'content', bytes: content.length, text: utf8(content) };
}

function utf8(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return strict.decode(content);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Each folder on the way is a folder itself, not a link to one. */
function isFolder(root: string, folder: BytePath): boolean {
  const names = folder === '' ? [] : folder.split('/');
  return names.every((_, i) => {
    const stats = lstatSync(onDisk(root, names.slice(0, i + 1).join('/') as BytePath), { throwIfNoEntry: false });
    return stats?.isDirectory() ?? false;
  });
}

function filesBelow(
  root: string,
  folder: BytePath,
  found: { readonly files: BytePath[]; readonly most: number },
): readonly BytePath[] {
  const entries = readdirSync(onDisk(root, folder), { encoding: 'latin1', withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.files.length >= found.most) break;
    const path = joinPath(folder, entry.name);
    if (isHidden(pathText(path).path)) continue;
    if (entry.isDirectory()) filesBelow(root, path, found);
    else if (entry.isFile()) found.files.push(path);
  }
  return found.files;
}

function onDisk(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(path)]);
}

/** What the agent can mend is told to it; a full or broken disk is thrown. */
function refusing<Result>(path: BytePath, action: () => Result): Result | Refused {
  try {
    return action();
  } catch (error) {
    if (error instanceof IoError)
      return refused(path, error.code === 'too_large' ? 'is too large' : 'leads through a link, or is no file');
    if (hasCode(error, 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY'))
      return refused(path, 'is a folder, or goes through a file');
    if (hasCode(error, 'EACCES', 'EPERM', 'ENOENT')) return refused(path, 'cannot be opened');
    if (hasCode(error, 'ENAMETOOLONG')) return refused(path, 'is too long a name');
    throw error;
  }
}

const absent = (path: BytePath): Refused => refused(path, 'does not exist');

function refused(path: BytePath, why: string): Refused {
  return { kind: 'refused', why: `${JSON.stringify(pathText(path).path)} ${why}` };
}
