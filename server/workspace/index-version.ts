import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../domain/byte-path.ts';
import { hasCode } from '../io/io-error.ts';
import { gitDirsOf } from './user-repository.ts';

/** Names the state of a repository's index file, which git replaces at each change; undefined where there is none. */
export function indexVersion(root: string, folder: BytePath): string | undefined {
  const dir = gitDirsOf(root, folder);
  if (dir === undefined) return undefined;
  try {
    const stats = lstatSync(join(dir.path, 'index'), { bigint: true });
    return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}
