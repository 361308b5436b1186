import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, bytePathFromLatin1, bytePathFromText } from '../domain/byte-path.ts';
import type { WorkspaceSettings } from '../domain/point.ts';
import { parseIgnoreList, type TreeRules } from '../tree/index.ts';
import { BUILD_FOLDERS } from './default-rules.ts';
import { indexVersion } from './index-version.ts';
import { readUserRepository } from './user-repository.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import type { WorkspacePlace } from './workspace-place.ts';

/** The rules of a workspace as the store's file, the settings and the user's index are now. */
export function rulesNow(
  { root, store }: WorkspacePlace,
  settings: WorkspaceSettings,
  options: Pick<WorkspaceOptions, 'exclude' | 'include'>,
): TreeRules {
  return workspaceRules({ store, settings, options, trackedFolders: trackedBuildFolders(root) });
}

/** Where the rules of a workspace come from. */
interface RuleSources {
  readonly store: string;
  readonly settings: WorkspaceSettings;
  readonly options: Pick<WorkspaceOptions, 'exclude' | 'include'>;
  /** Build folders in which the user's own index tracks something. */
  readonly trackedFolders: readonly BytePath[];
}

/** Puts the rules together: the store's own file first, then what settings leave out, then what they take in. */
function workspaceRules({ store, settings, options, trackedFolders }: RuleSources): TreeRules {
  const file = readFileSync(join(store, 'exclude'), 'latin1');
  const exclude = lines([...settings.exclude, ...options.exclude]);
  const include = lines([...settings.include, ...options.include].map((pattern) => `!${pattern}`));
  const tracked = trackedFolders.map((path) => `!/${literal(path)}/`).join('\n');
  return {
    ignoreFiles: settings.gitignore,
    lists: [
      parseIgnoreList(file, 'the exclude file of the store'),
      parseIgnoreList(tracked, 'what the index of the repository tracks'),
      parseIgnoreList(exclude, 'the setting exclude'),
      parseIgnoreList(include, 'the setting include'),
    ],
    key: hash('sha1', JSON.stringify([1, file, tracked, exclude, include, settings.gitignore])),
  };
}

const lines = (patterns: readonly string[]): string => bytePathFromText(patterns.join('\n'));

/** A path as a pattern that fits it alone. */
const literal = (path: BytePath): string => path.replace(/[*?[\]\\ ]/g, '\\$&');

/** What was found in an index; parsing a large one takes longer than all else. */
const known = new Map<string, { readonly version: string; readonly folders: readonly BytePath[] }>();

/** The build folders in which the index of the root's own repository tracks something. */
function trackedBuildFolders(root: string): readonly BytePath[] {
  const version = indexVersion(root, '' as BytePath);
  if (version === undefined) return [];
  const before = known.get(root);
  if (before?.version === version) return before.folders;
  const folders = findBuildFolders(root);
  known.set(root, { version, folders });
  return folders;
}

function findBuildFolders(root: string): readonly BytePath[] {
  const found = new Set<BytePath>();
  for (const { path } of readUserRepository(root, '' as BytePath)?.tracked ?? []) {
    const names = path.split('/');
    const depth = names.slice(0, -1).findIndex((name) => BUILD_FOLDERS.has(name));
    if (depth >= 0) found.add(bytePathFromLatin1(names.slice(0, depth + 1).join('/')));
  }
  return [...found].sort();
}
