import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { refuseRoot } from './refuse-root.ts';

const VERSION_CONTROL = new Set(['.git', '.hg', '.svn', '.jj']);

/**
 * The real path of a folder that a point can be written into: absent or empty, and neither the system's nor a version control
 * system's own. Nothing is made.
 * @param folder absolute path; the folder above it must be there
 * @throws DevLoopError conflict where something is there, not_found where the folder above is not, workspace_refused
 */
export function newFolder(folder: string, options: { readonly home: string; readonly stateDir: string }): string {
  const root = join(realParent(folder), basename(folder));
  refuseRoot(root, options);
  if (root.split('/').some((name) => VERSION_CONTROL.has(name))) {
    throw new DevLoopError('workspace_refused', `${root} belongs to a version control system`, { data: { folder } });
  }
  const there = lstatSync(root, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isDirectory() || readdirSync(root).length > 0)) {
    throw new DevLoopError('conflict', `${folder} is not empty`, { data: { folder }, hint: 'Choose a new folder.' });
  }
  return root;
}

function realParent(folder: string): string {
  try {
    return realpathSync.native(dirname(folder));
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) throw error;
    throw new DevLoopError('not_found', `there is no folder ${dirname(folder)}`, { data: { folder }, cause: error });
  }
}
