import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { agentChecks, type Check } from '../agent-checks.ts';
import { bucketCheck } from '../bucket-check.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../table.ts';

const LEAST_FREE = 64 * 1024 * 1024;
const FREE =
  'programs of agents are not confined: what they do outside of their project is neither noticed nor put back';

export const doctor = defineCommand({
  summary:
    'Check what DevLoop stands on: Node, git, sandbox, data folder, disk, bucket, server, and each agent of the team',
  routes: [],
  examples: [{ command: 'devloop doctor', what: 'ends with status 1 where something is missing' }],
  run: async (_input, { config, tryTeam }) => {
    const { settings } = await config();
    const { runningServer } = await import('../connection.ts');
    const url = await runningServer(settings.data_dir);
    const items: readonly Check[] = [
      { name: 'node', ok: true, detail: process.versions.node },
      await program('git', 'git', { needed: true }),
      await sandbox(settings.sandbox),
      dataFolder(settings.data_dir),
      await disk(settings.data_dir),
      ...(await bucketCheck(settings)),
      { name: 'server', ok: true, detail: url ?? 'none runs' },
      ...(await agentChecks(tryTeam)),
    ];
    return { items };
  },
  print: ({ items }, { paint }) =>
    items
      .map(
        ({ name, ok, detail }) =>
          `${ok ? paint('green', 'ok    ') : paint('red', 'FAILED')} ${table([[name.padEnd(11), detail]])}`,
      )
      .join(''),
  status: ({ items }) => (items.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed),
});

async function program(name: string, command: string, { needed }: { readonly needed: boolean }): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version']);
    return { name, ok: true, detail: stdout.trim() };
  } catch (error) {
    return { name, ok: !needed, detail: `${command} cannot be run: ${String(error)}` };
  }
}

async function sandbox(mode: string): Promise<Check> {
  if (mode === 'off') return { name: 'sandbox', ok: true, detail: `off by the settings: ${FREE}` };
  const found = await program('sandbox', 'bwrap', { needed: mode === 'required' });
  if (found.detail.startsWith('bubblewrap')) return found;
  return { ...found, detail: `bubblewrap is not there: ${FREE}` };
}

function dataFolder(path: string): Check {
  const there = existsSync(path);
  try {
    accessSync(existing(path), constants.R_OK | constants.W_OK);
    return { name: 'data folder', ok: true, detail: there ? path : `${path} (made at the first use)` };
  } catch (error) {
    return { name: 'data folder', ok: false, detail: String(error) };
  }
}

async function disk(path: string): Promise<Check> {
  const { bavail, bsize } = await statfs(existing(path));
  const free = bavail * bsize;
  return { name: 'disk', ok: free >= LEAST_FREE, detail: `${Math.floor(free / 1e6)} MB free` };
}

/** The nearest folder above that is there. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}
