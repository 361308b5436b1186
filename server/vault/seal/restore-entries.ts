import { chmodSync } from 'node:fs';
import { makeFolders } from '../../io/make-folders.ts';
import { pathBelow } from '../../io/path-below.ts';
import { writeBelow } from '../../io/safe-path.ts';
import type { Tampering } from './find-tampering.ts';
import { isFolder, modeOf } from './git-dir-stamps.ts';

/** Makes the folders of `.git` that are gone, with their modes, and writes the files that there are copies of. */
export function restoreEntries(gitDir: string, found: readonly Tampering[], copies: ReadonlyMap<string, Buffer>): void {
  for (const { path, was } of found) {
    if (was === undefined) continue;
    const copy = copies.get(path);
    if (isFolder(was)) restoreFolder(pathBelow(gitDir, path), modeOf(was));
    else if (copy !== undefined) writeBelow(gitDir, path, copy, { mode: modeOf(was) });
  }
}

function restoreFolder(path: Buffer, mode: number): void {
  makeFolders(path);
  chmodSync(path, mode);
}
