import { realpathSync, statSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';

/** The real path of a folder. Throws `workspace_not_found`. */
export function realFolder(path: string): string {
  try {
    const root = realpathSync.native(path);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) throw error;
  }
  throw new DevLoopError('workspace_not_found', `${path} is no folder that can be read`, { data: { path } });
}
