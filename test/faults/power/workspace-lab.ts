import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../server/io/io-error.ts';
import { openWorkspaces, type Workspace } from '../../../server/workspace/index.ts';

/** The folder of a user's on the disk whose power is cut. */
export const userRoot = (folder: string): string => join(folder, 'user/mine');

/** Its workspace; files of 6,000 bytes and more are large ones. */
export const openLab = (folder: string): Workspace =>
  openWorkspaces({
    stateDir: join(folder, 'state'),
    home: join(folder, 'home'),
    maxTurns: 50,
    exclude: [],
    include: [],
    largeFileBytes: 6000,
    now: () => new Date(),
  }).open(userRoot(folder));

/** The content of a file of the user's; undefined where there is none. */
export function contentAt(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(userRoot(folder), path), 'latin1');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
