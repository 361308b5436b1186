import type { WorkspaceFile, WorkspaceSettingsInput } from '../domain/point.ts';
import { openWorkspace } from './open-workspace.ts';
import { parseSettings } from './parse-settings.ts';
import { workspaceCare } from './workspace-care.ts';
import { readWorkspaceFile, writeWorkspaceFile } from './workspace-file.ts';
import { workspaceHistories } from './workspace-histories.ts';
import { drain } from './workspace-lock.ts';
import type { WorkspaceOptions } from './workspace-options.ts';
import type { WorkspacePlace } from './workspace-place.ts';
import { workspacePoints } from './workspace-points.ts';
import { workspaceRestores } from './workspace-restores.ts';
import { workspaceTurns } from './workspace-turns.ts';

/** A folder of the user's whose versions are kept outside of it. Every call throws `busy` while another process writes for long. */
export type Workspace = ReturnType<typeof workspaceOf>;

/** Puts the parts of a workspace together. Its store must be there. */
export function workspaceOf(place: WorkspacePlace, file: WorkspaceFile, options: WorkspaceOptions) {
  const workspace = openWorkspace(place, file, options);
  return {
    id: place.id,
    root: place.root,
    file,
    ...workspacePoints(workspace),
    ...workspaceTurns(workspace),
    ...workspaceRestores(workspace),
    ...workspaceCare(workspace),
    ...workspaceHistories(workspace),
    /** Takes effect when the workspace is opened the next time. A setting that is there and undefined goes back to its default. */
    changeSettings(settings: WorkspaceSettingsInput, name?: string): WorkspaceFile {
      const now = readWorkspaceFile(place.store) ?? file;
      const changed = {
        ...now,
        ...(name !== undefined && { name }),
        settings: parseSettings({ ...now.settings, ...settings }),
      };
      writeWorkspaceFile(place.store, changed);
      return changed;
    },
    /** Waits for what was asked for, and keeps what was learned. */
    async close(): Promise<void> {
      await drain(workspace);
      workspace.close();
    },
  };
}
