import { homedir } from 'node:os';
import type { Settings } from './config/index.ts';
import { systemClock } from './io/clock.ts';
import { openWorkspaces, type Workspaces } from './workspace/index.ts';

export { textDiff } from './compare/index.ts';
export type { Workspace, WorkspaceChange, Workspaces } from './workspace/index.ts';

/** Opens the histories of the person's folders, by the settings; nothing else of the app is loaded. */
export function workspacesOf(settings: Settings): Workspaces {
  return openWorkspaces({
    stateDir: settings.state_dir,
    home: homedir(),
    maxTurns: settings.snapshot_max,
    exclude: settings.snapshot_exclude,
    include: settings.snapshot_include,
    largeFileBytes: settings.snapshot_large_file_bytes,
    now: () => systemClock.now(),
  });
}
