import { chmodSync, lstatSync } from 'node:fs';
import { pathBelow } from '../../io/path-below.ts';
import { isFolder, modeOf } from './git-dir-stamps.ts';
import type { Seal } from './seal-file.ts';

/** Gives folders that were closed their modes back: what is in them could not be seen otherwise. @returns their names */
export function openFolders(gitDir: string, { entries }: Seal): readonly string[] {
  const closed: string[] = [];
  const real = new Set<string>();
  for (const [path, was] of entries) {
    // Nothing is reached through what is no folder any more.
    if (!isFolder(was) || (path !== '' && !real.has(parentOf(path)))) continue;
    const full = pathBelow(gitDir, path);
    const is = lstatSync(full, { throwIfNoEntry: false });
    if (!is?.isDirectory()) continue;
    real.add(path);
    if ((is.mode & 0o7777) === modeOf(was)) continue;
    chmodSync(full, modeOf(was));
    closed.push(`.git/${path}`);
  }
  return closed;
}

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
