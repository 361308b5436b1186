import { access, constants, statfs } from 'node:fs/promises';
import { checkGit } from './git/run.ts';
import type { HealthCheck, HealthService } from './http/index.ts';

/** Below this a commit may fail; bytes. */
const LEAST_FREE = 64 * 1024 * 1024;

/** Tells whether what the server stands on works: git, the data folder, free space. */
export function healthService(dataDir: string): HealthService {
  return {
    check: () =>
      Promise.all([
        check('git', async () => void (await checkGit(dataDir))),
        check('data_folder', () => access(dataDir, constants.R_OK | constants.W_OK)),
        check('disk', () => enoughSpace(dataDir)),
      ]),
  };
}

async function check(name: HealthCheck['name'], look: () => Promise<void>): Promise<HealthCheck> {
  try {
    await look();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

async function enoughSpace(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < LEAST_FREE) throw new Error(`${Math.floor(free / 1e6)} MB are free`);
}
