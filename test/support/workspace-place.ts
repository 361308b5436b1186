import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RestoreTarget } from '../../server/domain/workspace-restore.ts';
import {
  openWorkspaces,
  type Workspace,
  type WorkspaceOptions,
  type Workspaces,
} from '../../server/workspace/index.ts';
import { contentOf, diskSnapshot } from './disk-snapshot.ts';
import { inTempFolder } from './temp-folder.ts';

const VERSIONS = new Set(['.git', '.hg', '.svn', '.jj']);

/** A user's folder and a place for histories, side by side. */
export interface WorkspaceLab {
  readonly folder: string;
  /** The user's folder. */
  readonly root: string;
  readonly options: WorkspaceOptions;
  readonly workspaces: Workspaces;
  readonly workspace: Workspace;
  readonly put: (name: string, content?: string) => void;
  /** Plans a restore to a point and applies it. */
  readonly restore: (target: RestoreTarget) => ReturnType<Workspace['applyRestore']>;
  /** All files of the folder but repositories' own. */
  readonly files: () => Record<string, string>;
}

export function inWorkspace(
  use: (lab: WorkspaceLab) => Promise<void>,
  options: Partial<WorkspaceOptions> = {},
): Promise<void> {
  return inTempFolder(async (folder) => {
    const lab = workspaceLab(folder, options);
    try {
      await use(lab);
    } finally {
      await lab.workspace.close();
    }
  });
}

export function workspaceLab(folder: string, changed: Partial<WorkspaceOptions> = {}): WorkspaceLab {
  const [root, home] = [join(folder, 'user/mine'), join(folder, 'home')];
  for (const path of [root, home]) mkdirSync(path, { recursive: true });
  const options: WorkspaceOptions = {
    stateDir: join(folder, 'state'),
    home,
    maxTurns: 50,
    exclude: [],
    include: [],
    largeFileBytes: 100_000,
    now: () => new Date(),
    ...changed,
  };
  const workspaces = openWorkspaces(options);
  const workspace = workspaces.open(root);
  return {
    folder,
    root,
    options,
    workspaces,
    workspace,
    put(name, content = name) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    },
    async restore(target) {
      const { id, digest } = await workspace.planRestore(target);
      return workspace.applyRestore(id, digest);
    },
    files: () => contentOf(diskSnapshot(root, (name) => VERSIONS.has(name))),
  };
}
