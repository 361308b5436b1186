import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkspaceDemo } from '../demo/index.ts';
import type { CommandContext } from './command.ts';
import { plain } from './terminal.ts';

/** Runs the demo of workspaces below the data folder that was named, else in a temporary folder, and prints each step. */
export async function workspaceDemo({ config, json, terminal }: CommandContext): Promise<WorkspaceDemo> {
  const [{ runWorkspaceDemo }, { settings, origin }] = await Promise.all([import('../demo/index.ts'), config()]);
  const parent = origin.data_dir.source === 'flag' ? settings.data_dir : tmpdir();
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'workspace-demo-'));
  return runWorkspaceDemo(folder, async (step) => {
    if (!json) await terminal.out(`${plain(step)}\n`);
  });
}

/** The last lines: what it came to, and where all of it is. */
export function workspaceDemoText({ equal, folder }: WorkspaceDemo): string {
  return `${equal ? 'Everything is equal' : 'SOMETHING DIFFERS'}. The folder is ${folder}/work, its history ${folder}/state.\n`;
}
