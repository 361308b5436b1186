import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceFile, WorkspaceSettings } from '../domain/point.ts';
import { makeRepository } from '../git/new-repository.ts';
import { makeFolders } from '../io/make-folders.ts';
import { writeAtomic } from '../io/write-atomic.ts';
import { DEFAULT_RULES } from './default-rules.ts';
import { newPlace } from './object-place.ts';
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import type { WorkspacePlace } from './workspace-place.ts';

const BARE =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n';

interface NewStore {
  readonly now: Date;
  readonly name?: string | undefined;
  readonly settings: WorkspaceSettings;
  /** Where its large files go; to its own folder where absent. */
  readonly places?: Pick<WorkspaceOptions, 'objects' | 'bucket'>;
}

/** Makes what is missing of a workspace's store; durable. Cheap where nothing is. @returns its settings file */
export function makeStore({ root, store }: WorkspacePlace, about: NewStore): WorkspaceFile {
  const before = readWorkspaceFile(store);
  if (before !== undefined && isThere(join(store, 'vcs.git/HEAD')) && isThere(join(store, 'exclude'))) return before;
  for (const folder of [store, ...FOLDERS.map((name) => join(store, name))]) makeFolders(folder, { mode: 0o700 });
  const repository = join(store, 'vcs.git');
  makeRepository(repository);
  writeAtomic(join(repository, 'config'), BARE);
  if (!isThere(join(store, 'exclude'))) writeAtomic(join(store, 'exclude'), DEFAULT_RULES, { mode: 0o600 });
  const { now, name, settings, places = {} } = about;
  const objects = before === undefined ? newPlace(places.objects ?? 'folder', places) : undefined;
  const file = before ?? {
    schema: 1 as const,
    root,
    ...(name !== undefined && { name }),
    created_at: now.toISOString(),
    settings,
    ...(objects !== undefined && { objects }),
  };
  writeWorkspaceFile(store, file);
  return file;
}

const FOLDERS = ['objects', 'journal', 'restores'] as const;

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
