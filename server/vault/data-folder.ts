import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hasCode, IoError } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';
import { takeOwnerLock } from '../io/owner-lock.ts';

export interface DataFolder {
  /** Gives the folder up to the next server. */
  release(): void;
}

/**
 * Makes the data folder where it is absent, and takes it for this process. `onLost` is called where another process has
 * taken it since, or it is gone: the caller must stop writing.
 * @param path absolute.
 * @throws DevLoopError data_folder_owned with the owner's pid, disk_full, read_only, permission_denied.
 */
export function openDataFolder(path: string, options: { readonly onLost: (cause?: unknown) => void }): DataFolder {
  try {
    makeFolders(join(path, 'companies'));
    makeFolders(join(path, '.devloop'), { mode: 0o700 });
    return takeOwnerLock(join(path, '.devloop', 'lock'), options);
  } catch (error) {
    if (!hasCode(error, 'owned')) throw systemRefusal(error, { doing: `opening the data folder ${path}` });
    const owner = error instanceof IoError ? error.data : {};
    throw new DevLoopError('data_folder_owned', `process ${owner.pid ?? 'unknown'} owns the data folder ${path}`, {
      data: { path, ...owner },
      hint: 'Stop that server first, or choose another data folder.',
      cause: error,
    });
  }
}
