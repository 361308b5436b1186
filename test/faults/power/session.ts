import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnvironment } from '../../support/running-server.ts';
import type { Acknowledged } from './acknowledged.ts';
import { LoggedDisk } from './logged-disk.ts';
import { run, serveDisk, unmount } from './serve-disk.ts';

/** Whose commits are cut off, the vault's, or git's own with its defaults; or the restores of a workspace. */
export type Who = 'vault' | 'git' | 'workspace';

/** A disk that was worked on, and when what was acknowledged. */
export interface Session {
  readonly disk: LoggedDisk;
  readonly acknowledged: readonly { readonly what: Acknowledged; readonly at: number }[];
}

const ACTS: Readonly<Record<Who, string>> = {
  vault: 'act-on-disk.ts',
  git: 'act-on-disk.ts',
  workspace: 'act-in-workspace.ts',
};
const SIZE = '64M';
const MAKE = ['mkfs.ext4', '-q', '-F', '-E', 'nodiscard,lazy_itable_init=0,lazy_journal_init=0'];

/** Works on a fresh ext4 file system whose disk remembers every write and flush. */
export async function session(
  home: string,
  { who, seed, count }: { readonly who: Who; readonly seed: number; readonly count: number },
): Promise<Session> {
  const [base, mount] = [join(home, 'base'), join(home, 'mount')];
  await run(['truncate', '-s', SIZE, base]);
  await run([...MAKE, base]);
  mkdirSync(mount, { recursive: true });
  const disk = new LoggedDisk(readFileSync(base));
  const served = await serveDisk(disk, join(home, 'served'));
  try {
    await run(['mount', '-t', 'ext4', '-o', 'loop', served.file, mount]);
    try {
      const argv = [join(import.meta.dirname, ACTS[who]), who, join(mount, 'data'), String(seed), String(count)];
      const acknowledged = await act(disk, argv, home);
      return { disk, acknowledged };
    } finally {
      await unmount(mount);
    }
  } finally {
    // This process must not touch what it serves itself.
    await served.end();
  }
}

async function act(disk: LoggedDisk, argv: readonly string[], home: string): Promise<Session['acknowledged']> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...argv], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: bareEnvironment(home, { NODE_COMPILE_CACHE: join(home, 'compiled') }),
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const acknowledged: { what: Acknowledged; at: number }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push({ what: JSON.parse(line) as Acknowledged, at: disk.log.length });
    child.stdin.write('\n');
  });
  const code = await ended;
  if (code !== 0) throw new Error(`the work on the disk ended with ${code}`);
  return acknowledged;
}
