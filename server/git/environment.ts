import { isAbsolute } from 'node:path';

/** One git process: its arguments, whole environment and working folder. */
export interface GitCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface GitCallOptions {
  /** Absolute path of the folder that new objects go to instead; the shadow's own are read besides it. */
  readonly newObjects?: string;
  /** Protocols that one push may use; none otherwise. */
  readonly protocols?: readonly ('https' | 'ssh')[];
  /** What the process can read from descriptor 3, once. */
  readonly secret?: string;
  /** `key=value` settings for this call only; the keys are literals of ours. */
  readonly config?: readonly string[];
}

/**
 * Makes the environment and the overrides that every git process is started with: nothing is inherited, and no
 * configuration of the system, the user or the repository is read but the shadow git dir's own.
 * @param shadowDir absolute path of a shadow git dir; also the working folder, so that no tree is ever in reach
 */
export function gitCall(shadowDir: string, args: readonly string[], options: GitCallOptions = {}): GitCall {
  const protocols = options.protocols ?? [];
  return {
    args: [
      ...overrideArgs(options.config ?? []),
      ...protocols.flatMap((name) => ['-c', `protocol.${name}.allow=always`]),
      ...args,
    ],
    env: {
      ...ENVIRONMENT,
      PATH: searchPath.join(':'),
      ...(protocols.includes('ssh') ? SSH : {}),
      GIT_DIR: shadowDir,
      GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
      ...(options.newObjects === undefined
        ? {}
        : { GIT_OBJECT_DIRECTORY: options.newObjects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${shadowDir}/objects` }),
    },
    cwd: shadowDir,
  };
}

/** Names the folders that git is looked up in, in order; relative ones are dropped. Set once, at start. */
export function useSearchPath(path: string): void {
  const folders = path.split(':').filter((folder) => isAbsolute(folder));
  if (folders.length > 0) searchPath = folders;
}

let searchPath: readonly string[] = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/run/current-system/sw/bin',
];

/** Bytes. glibc otherwise gives memory back and takes it again for each object that git packs or unpacks. */
const KEEP_MEMORY = {
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '67108864',
  MALLOC_TOP_PAD_: '4194304',
};

const ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: '/nonexistent',
  LANG: 'C',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  // Empty means "no such file"; a path that opens, be it empty, would make git treat the repository as a shallow one.
  GIT_SHALLOW_FILE: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CEILING_DIRECTORIES: '/',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_EDITOR: ':',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  ...KEEP_MEMORY,
};

/** Asks nobody, and takes the keys of the account that the server runs as. */
const SSH = { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' };

/** Settings that win over every configuration file. The shadow's own file is ours; these hold even if it were not. */
export const OVERRIDES: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.fsync=all',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.quotePath=false',
  // These two files are caches that git believes unread: they could show a history that the objects do not hold.
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  'core.useReplaceRefs=false',
  // Without it git opens the refs to see whether one is named like an object id.
  'core.warnAmbiguousRefs=false',
  'advice.graftFileDeprecated=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'log.showSignature=false',
  'protocol.allow=never',
  'credential.helper=',
  'transfer.credentialsInUrl=die',
];

function overrideArgs(more: readonly string[]): readonly string[] {
  return [...OVERRIDES, ...more].flatMap((setting) => ['-c', setting]);
}
