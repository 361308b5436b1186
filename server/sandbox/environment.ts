import { dirname, isAbsolute } from 'node:path';

interface CallPlaces {
  /** Folder whose `git` refuses; first in PATH. */
  readonly shim: string;
  /** The host's PATH. */
  readonly path: string;
  /** A home and a folder for temporary files of the call's own. */
  readonly home: string;
  readonly tmp: string;
}

/**
 * The whole environment of an untrusted program: nothing of the server's passes but its PATH, with the refusing `git` and
 * the server's own Node in front. What a role was given besides comes in `extra`; names that steer git, Node or the loader do not.
 */
export function callEnvironment(
  { shim, path, home, tmp }: CallPlaces,
  extra: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const folders = [shim, dirname(process.execPath), ...path.split(':').filter(isAbsolute)];
  return {
    ...Object.fromEntries(Object.entries(extra).filter(([name]) => !isSteering(name))),
    PATH: [...new Set(folders)].join(':'),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
    CI: '1',
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  };
}

const isSteering = (name: string): boolean =>
  /^(GIT_|LD_|DYLD_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|BASH_ENV$|ENV$)/.test(name);
