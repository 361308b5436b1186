import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';

/**
 * Finds a pipe, socket or device among a repository's objects and refs, which would hold up whoever opens it.
 * @returns its path below `.git` (bytes, latin1); undefined where there is none
 */
export function findSpecialFile(shadowDir: string): string | undefined {
  for (const name of ['objects', 'refs']) {
    const found = findBelow(Buffer.from(join(shadowDir, name)), name, DEPTH);
    if (found !== undefined) return found;
  }
  const packed = statSync(join(shadowDir, 'packed-refs'), { throwIfNoEntry: false });
  return packed === undefined || packed.isFile() ? undefined : 'packed-refs';
}

const DEPTH = 8;

function findBelow(folder: Buffer, path: string, depth: number): string | undefined {
  for (const entry of entriesOf(folder)) {
    const below = `${path}/${entry.name}`;
    if (isSpecial(entry)) return below;
    if (!entry.isDirectory() || depth === 0) continue;
    const found = findBelow(Buffer.concat([folder, Buffer.from(`/${entry.name}`, 'latin1')]), below, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isSpecial = (entry: Dirent): boolean => !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink());

function entriesOf(folder: Buffer): readonly Dirent[] {
  try {
    return readdirSync(folder, { encoding: 'latin1', withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return [];
    throw error;
  }
}
