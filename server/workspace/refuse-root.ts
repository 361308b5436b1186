import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';

/** Folders of the system: their history is not ours to keep, and a restore there could break the machine. */
const SYSTEM =
  '/bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /var'
    .split(' ')
    .concat([
      '/usr/bin',
      '/usr/lib',
      '/usr/local',
      '/usr/share',
      '/var/lib',
      '/var/log',
      '/var/tmp',
      '/Users',
      '/Library',
      '/System',
      '/Applications',
    ]);

/**
 * Refuses folders that cannot be workspaces: the root of all, a home folder or one above it, a system folder, one that holds
 * the store, and one inside of the store. Folders are told apart by identity, not by name.
 * @throws DevLoopError workspace_refused
 */
export function refuseRoot(
  root: string,
  { home, stateDir }: { readonly home: string; readonly stateDir: string },
): void {
  const own = identityOf(root);
  const is = (path: string): boolean => own !== undefined && identityOf(path) === own;
  if (dirname(root) === root) refuse(root, 'it is the root of the file system');
  if (is(home)) refuse(root, 'it is the home folder');
  if (SYSTEM.some(is)) refuse(root, 'it is a folder of the system');
  if (chainOf(home).some(is)) refuse(root, 'it holds the home folder');
  const store = nearest(stateDir);
  if (chainOf(store).some(is)) refuse(root, 'it holds the store of the histories');
  const storeItself = identityOf(stateDir);
  if (storeItself !== undefined && chainOf(root).some((path) => identityOf(path) === storeItself)) {
    refuse(root, 'it lies inside of the store of the histories');
  }
}

function refuse(root: string, why: string): never {
  throw new DevLoopError('workspace_refused', `${root} cannot be a workspace: ${why}`, {
    data: { root, why },
    hint: 'Choose a folder for the work itself.',
  });
}

/** The real path of a folder that may be absent, as far as it is there. */
function nearest(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    return nearest(dirname(path));
  }
}

/** A path with all the folders above it. */
function chainOf(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...chainOf(above)];
}

/** Device and inode of what a path leads to; undefined where nothing is. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return undefined;
    throw error;
  }
}
