import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../io/io-error.ts';
import { PendingFile } from '../pending-file.ts';

/** Git leaves files with these first letters alone while they are young, and prunes them when they are old. */
const PREFIX = { object: 'tmp_obj_devloop', pack: 'tmp_pack_devloop', index: 'tmp_idx_devloop' } as const;
const OWN_NAME = /^tmp_(?:obj|pack|idx)_devloop-(\d+)-[0-9a-f]{12}$/;
const ABANDONED_MS = 3_600_000;

/** Makes a file that nobody else has, with the mode of git's own objects, on its way to become part of an object store. */
export function openTempFile(folder: string, kind: keyof typeof PREFIX): PendingFile {
  return new PendingFile(join(folder, `${PREFIX[kind]}-${process.pid}-${randomBytes(6).toString('hex')}`), 0o444);
}

/** Removes what writers that were killed have left, and returns how many files that were; those of writers that may be alive stay. */
export function sweepTempFiles(objectsDir: string): number {
  let swept = 0;
  for (const folder of [objectsDir, join(objectsDir, 'pack')]) {
    for (const name of namesIn(folder)) {
      const writer = OWN_NAME.exec(name)?.[1];
      const path = join(folder, name);
      if (writer === undefined || !isAbandoned(path, Number(writer))) continue;
      rmSync(path, { force: true });
      swept++;
    }
  }
  return swept;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** The number of a dead writer may have gone to another process: its age tells then. */
function isAbandoned(path: string, writer: number): boolean {
  if (!isAlive(writer)) return true;
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && changed < Date.now() - ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
